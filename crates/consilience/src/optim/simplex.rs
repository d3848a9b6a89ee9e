//! The lowest point of a function of two numbers.

/// Steps at most.
const MOST_STEPS: usize = 400;

/// The lowest point of `f` near the three `corners`, where both its place and its value are known to `tolerance`.
///
/// # Reference
/// Nelder and Mead, A simplex method for function minimization (1965).
pub(crate) fn simplex(corners: [[f64; 2]; 3], tolerance: f64, f: impl Fn([f64; 2]) -> f64) -> [f64; 2] {
    let mut corners = corners.map(|x| (f(x), x));
    let along = |from: [f64; 2], to: [f64; 2], t: f64| [0, 1].map(|i| from[i] + t * (to[i] - from[i]));
    for _ in 0..MOST_STEPS {
        corners.sort_by(|a, b| a.0.total_cmp(&b.0));
        let [best, middle, worst] = corners;
        let width = corners.iter().flat_map(|(_, x)| [x[0] - best.1[0], x[1] - best.1[1]]);
        if width.map(f64::abs).fold(0.0, f64::max) <= tolerance && (worst.0 - best.0).abs() <= tolerance {
            break;
        }
        let centre = along(best.1, middle.1, 0.5);
        let tried = |t: f64| {
            let x = along(centre, worst.1, t);
            (f(x), x)
        };
        let reflected = tried(-1.0);
        if reflected.0 < best.0 {
            let expanded = tried(-2.0);
            corners[2] = if expanded.0 < reflected.0 { expanded } else { reflected };
        } else if reflected.0 < middle.0 {
            corners[2] = reflected;
        } else {
            let nearer = if reflected.0 < worst.0 { tried(-0.5) } else { tried(0.5) };
            if nearer.0 < reflected.0.min(worst.0) {
                corners[2] = nearer;
            } else {
                for corner in &mut corners[1..] {
                    let x = along(best.1, corner.1, 0.5);
                    *corner = (f(x), x);
                }
            }
        }
    }
    corners.sort_by(|a, b| a.0.total_cmp(&b.0));
    corners[0].1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bent_valley_is_followed_to_its_end() {
        let valley = |[x, y]: [f64; 2]| (1.0 - x).powi(2) + 20.0 * (y - x * x).powi(2);
        let [x, y] = simplex([[-1.0, 1.0], [-0.9, 1.0], [-1.0, 1.3]], 1e-5, valley);
        assert!((x - 1.0).abs() < 1e-3 && (y - 1.0).abs() < 1e-3, "{x} {y}");
    }
}
