//! A [`Report`](consilience::findings::Report) as one self-contained page, or as Markdown.
//!
//! The page holds no script and loads nothing. Pictures are SVG with colours from the page's style, so that they follow the reader's
//! light or dark theme and print in black on white.
//!
//! | file | holds |
//! |---|---|
//! | `page.rs` | the page: its sections in order |
//! | `sections/` | one section per file |
//! | `graph/` | which sources repeat each other: positions of the sources, and the drawing |
//! | `heat_map.rs` | agreement of each two sources |
//! | `chart.rs` | axes, bars and dots |
//! | `markdown.rs` | the report as Markdown |
//! | `text.rs` | numbers and names as people read them |

mod chart;
mod graph;
mod heat_map;
mod markdown;
mod page;
mod sections;
mod text;

pub use graph::{Graph, Node};
pub use markdown::markdown;
pub use page::html;
pub use text::{counted, thousands};
