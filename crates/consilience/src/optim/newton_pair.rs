//! The lowest point of a smooth function of two numbers, by Newton's steps.

/// A function's value, slopes and second derivatives (first, mixed, second) at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bend {
    pub(crate) value: f64,
    pub(crate) slopes: [f64; 2],
    pub(crate) curvature: [f64; 3],
}

/// Steps at most, and halvings of a step at most.
const MOST_STEPS: usize = 30;
const MOST_HALVINGS: usize = 6;
/// No number moves further in one step.
const LONGEST: f64 = 0.5;

/// The lowest point of `f` near `start`, where what a further step promises is below `tolerance`. `None` where the function bends
/// the wrong way or does not fall as its slopes say: a slower search must look there.
pub(crate) fn newton_pair(start: [f64; 2], tolerance: f64, f: impl Fn([f64; 2]) -> Bend) -> Option<[f64; 2]> {
    let (mut x, mut at) = (start, f(start));
    for _ in 0..MOST_STEPS {
        let step = step(&at)?;
        let promised = -(step[0] * at.slopes[0] + step[1] * at.slopes[1]);
        if 0.5 * promised <= tolerance {
            return Some([x[0] + step[0], x[1] + step[1]]);
        }
        let longest = step[0].abs().max(step[1].abs());
        let mut length = (LONGEST / longest).min(1.0);
        let mut halvings = 0;
        (x, at) = loop {
            let there = [x[0] + length * step[0], x[1] + length * step[1]];
            let found = f(there);
            if found.value < at.value {
                break (there, found);
            }
            if halvings == MOST_HALVINGS {
                return None;
            }
            halvings += 1;
            length *= 0.5;
        };
    }
    None
}

/// Newton's step, if the function is convex.
fn step(at: &Bend) -> Option<[f64; 2]> {
    let ([a, b, d], [g, h]) = (at.curvature, at.slopes);
    let determinant = a * d - b * b;
    let convex = a > 0.0 && d > 0.0 && determinant > 1e-9 * a * d;
    convex.then(|| [(b * h - d * g) / determinant, (b * g - a * h) / determinant])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// e^x - x + (y - x)² + y⁴, at its lowest where both derivatives are 0.
    fn bowl([x, y]: [f64; 2]) -> Bend {
        Bend {
            value: x.exp() - x + (y - x).powi(2) + y.powi(4),
            slopes: [x.exp() - 1.0 - 2.0 * (y - x), 2.0 * (y - x) + 4.0 * y.powi(3)],
            curvature: [x.exp() + 2.0, -2.0, 2.0 + 12.0 * y * y],
        }
    }

    #[test]
    fn a_bowl_is_followed_to_its_lowest_point() {
        let [x, y] = newton_pair([2.0, -3.0], 1e-14, bowl).unwrap();
        assert!(x.abs() < 1e-6 && y.abs() < 1e-6, "{x} {y}");
    }

    #[test]
    fn a_saddle_and_a_slope_that_lies_are_refused() {
        let saddle = |[x, y]: [f64; 2]| Bend {
            value: x * x - y * y,
            slopes: [2.0 * x, -2.0 * y],
            curvature: [2.0, 0.0, -2.0],
        };
        assert_eq!(newton_pair([1.0, 1.0], 1e-9, saddle), None);
        let lie = |[x, y]: [f64; 2]| Bend { slopes: [-1.0, -1.0], ..bowl([x + 9.0, y + 9.0]) };
        assert_eq!(newton_pair([1.0, 1.0], 1e-9, lie), None);
    }
}
