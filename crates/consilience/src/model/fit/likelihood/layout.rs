//! Dependencies laid out as tables over the domains of their sources: weights into energies, and slopes by energies back
//! into slopes by weights.

use crate::dependency::{Dependency, DependencyType, strides};
use crate::sources::{ABSTAIN, Domain, Vote};

/// One cell of a table in which a dependency has a value other than 0.
#[derive(Clone, Copy, Debug)]
struct Term {
    dependency: u32,
    cell: u32,
    phi: f64,
}

/// A dependency over two or more sources.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    /// Its sources.
    pub(crate) scope: Vec<usize>,
    /// For each of them, the distance between neighbouring values.
    pub(crate) strides: Vec<usize>,
    /// The distance between neighbouring classes; 0 if the class does not matter.
    pub(crate) class_stride: usize,
    /// Where its table begins among those of all joints; there all its sources abstain.
    pub(crate) start: usize,
}

impl Joint {
    pub(crate) fn reads_class(&self) -> bool {
        self.class_stride > 0
    }

    /// The distance between neighbouring values of source `j`.
    pub(crate) fn stride_of(&self, j: usize) -> usize {
        self.scope.iter().zip(&self.strides).find(|(l, _)| **l == j).map_or(0, |(_, &stride)| stride)
    }

    /// The cell of the first class, where source `j` is at the position `position(j)` of its domain.
    #[inline]
    pub(crate) fn cell(&self, position: impl Fn(usize) -> usize) -> usize {
        let places = self.scope.iter().zip(&self.strides).map(|(&j, stride)| stride * position(j));
        self.start + places.sum::<usize>()
    }
}

/// Where everything lies.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The number of classes.
    pub(crate) k: usize,
    /// For each source, its first place: that of abstaining; then one more, the number of all places.
    pub(crate) starts: Vec<usize>,
    /// For each source, its domain.
    pub(crate) domains: Vec<Domain>,
    /// For each source, the lowest class it votes for where these follow on each other.
    lowest: Vec<Option<Vote>>,
    /// All dependencies over two or more sources.
    pub(crate) joints: Vec<Joint>,
    /// For each source, the joints that read its vote.
    pub(crate) joints_of: Vec<Vec<u32>>,
    /// Cells of all joints.
    joint_cells: usize,
    class_terms: Vec<Term>,
    unary_terms: Vec<Term>,
    joint_terms: Vec<Term>,
}

/// Energies, or slopes by them, in the places of a [`Layout`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tables {
    /// For each class.
    pub(crate) class: Vec<f64>,
    /// For each place, for each class.
    pub(crate) unary: Vec<f64>,
    /// For each cell of each joint.
    pub(crate) joint: Vec<f64>,
}

impl Tables {
    pub(crate) fn zero(layout: &Layout) -> Self {
        Self {
            class: vec![0.0; layout.k],
            unary: vec![0.0; layout.places() * layout.k],
            joint: vec![0.0; layout.joint_cells],
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.class, &other.class),
            (&mut self.unary, &other.unary),
            (&mut self.joint, &other.joint),
        ];
        for (to, from) in pairs {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        }
    }
}

impl Layout {
    pub(crate) fn new(dependencies: &[Dependency], domains: &[Domain], k: usize) -> Self {
        let mut starts = vec![0];
        for domain in domains {
            starts.push(starts[starts.len() - 1] + domain.len());
        }
        let follow = |classes: &[Vote]| classes.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let lowest = |domain: &Domain| {
            let classes = domain.classes();
            if follow(classes) { classes.first().copied() } else { None }
        };
        let mut layout = Self {
            k,
            starts,
            domains: domains.to_vec(),
            lowest: domains.iter().map(lowest).collect(),
            joints: Vec::new(),
            joints_of: vec![Vec::new(); domains.len()],
            joint_cells: 0,
            class_terms: Vec::new(),
            unary_terms: Vec::new(),
            joint_terms: Vec::new(),
        };
        for (d, dependency) in (0..).zip(dependencies) {
            layout.lay_out(d, dependency);
        }
        layout
    }

    fn lay_out(&mut self, d: u32, dependency: &Dependency) {
        let k = self.k;
        let term = |cell: usize, phi: f64| {
            (phi.abs() > 0.0).then_some(Term { dependency: d, cell: cell as u32, phi })
        };
        match *dependency.sources() {
            [] => self.class_terms.extend((0..k).filter_map(|y| term(y, dependency.phi(&[], y as Vote + 1)))),
            [j] => {
                for (v, &vote) in self.domains[j].values().iter().enumerate() {
                    let first = (self.starts[j] + v) * k;
                    let phi = |y: usize| dependency.phi(&[vote], y as Vote + 1);
                    if dependency.reads_class() {
                        self.unary_terms.extend((0..k).filter_map(|y| term(first + y, phi(y))));
                    } else if phi(0).abs() > 0.0 {
                        self.unary_terms.extend((0..k).filter_map(|y| term(first + y, phi(0))));
                    }
                }
            }
            ref scope => {
                let (strides, cells) = strides(scope, &self.domains);
                let classes = if dependency.reads_class() { k } else { 1 };
                let start = self.joint_cells;
                let mut votes = vec![ABSTAIN; scope.len()];
                for y in 0..classes {
                    for cell in 0..cells {
                        for ((vote, &stride), &j) in votes.iter_mut().zip(&strides).zip(scope) {
                            let domain = &self.domains[j];
                            *vote = domain.values()[cell / stride % domain.len()];
                        }
                        let phi = dependency.phi(&votes, y as Vote + 1);
                        self.joint_terms.extend(term(start + y * cells + cell, phi));
                    }
                }
                for &j in scope {
                    self.joints_of[j].push(self.joints.len() as u32);
                }
                let class_stride = if dependency.reads_class() { cells } else { 0 };
                self.joints.push(Joint { scope: scope.to_vec(), strides, class_stride, start });
                self.joint_cells += cells * classes;
            }
        }
    }

    /// The number of places: of all values of all sources.
    pub(crate) fn places(&self) -> usize {
        self.starts[self.domains.len()]
    }

    /// The place of a vote that source `j` is known to cast.
    #[inline]
    pub(crate) fn place(&self, j: usize, vote: Vote) -> usize {
        self.starts[j]
            + match self.lowest[j] {
                Some(lowest) => usize::from(vote - lowest) + 1,
                None => self.domains[j].classes().partition_point(|&class| class < vote) + 1,
            }
    }

    /// Numbers of all tables together.
    pub(crate) fn numbers(&self) -> usize {
        self.k + self.places() * self.k + self.joint_cells
    }

    /// Whether a dependency over several sources reads the class.
    pub(crate) fn has_class_joints(&self) -> bool {
        self.joints.iter().any(Joint::reads_class)
    }

    /// Whether a dependency of one source has a value if that source abstains.
    pub(crate) fn silence_speaks(&self) -> bool {
        let silent = |cell: u32| self.starts.binary_search(&(cell as usize / self.k)).is_ok();
        self.unary_terms.iter().any(|term| silent(term.cell))
    }

    /// Σ_d θ_d φ_d in every place.
    pub(crate) fn energies(&self, weights: &[f64]) -> Tables {
        let mut tables = Tables::zero(self);
        for (terms, table) in [
            (&self.class_terms, &mut tables.class),
            (&self.unary_terms, &mut tables.unary),
            (&self.joint_terms, &mut tables.joint),
        ] {
            for term in terms {
                table[term.cell as usize] += weights[term.dependency as usize] * term.phi;
            }
        }
        tables
    }

    /// Adds to `slopes` by weights what `tables`, the slopes by energies, make of them: Σ_cell φ_d(cell) · slope(cell).
    pub(crate) fn add_slopes(&self, tables: &Tables, slopes: &mut [f64]) {
        for (terms, table) in [
            (&self.class_terms, &tables.class),
            (&self.unary_terms, &tables.unary),
            (&self.joint_terms, &tables.joint),
        ] {
            for term in terms {
                slopes[term.dependency as usize] += term.phi * table[term.cell as usize];
            }
        }
    }
}
