//! Connected components: what hangs together through links.

/// The connected components of `0..n` under `links`, each ascending, by their smallest member; members without a link are
/// components of one.
pub(crate) fn components(n: usize, links: impl IntoIterator<Item = [usize; 2]>) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..n).collect();
    for [j, l] in links {
        let (a, b) = (find(&mut leader, j), find(&mut leader, l));
        leader[a.max(b)] = a.min(b);
    }
    let mut components: Vec<Vec<usize>> = vec![Vec::new(); n];
    for j in 0..n {
        let first = find(&mut leader, j);
        components[first].push(j);
    }
    components.retain(|component| !component.is_empty());
    components
}

/// The smallest member known to be connected with `j`.
fn find(leader: &mut [usize], mut j: usize) -> usize {
    while leader[j] != j {
        leader[j] = leader[leader[j]];
        j = leader[j];
    }
    j
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_join_in_any_order() {
        assert_eq!(components(6, [[4, 2], [5, 5], [2, 0]]), [vec![0, 2, 4], vec![1], vec![3], vec![5]]);
        assert_eq!(components(3, [[2, 1], [1, 0], [0, 2]]), [vec![0, 1, 2]]);
        assert!(components(0, []).is_empty());
    }
}
