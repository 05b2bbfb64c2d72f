//! What is debugged: a thread, a ray, or an invocation of a draw's stage, as a user names it.

use std::fmt;
use std::str::FromStr;

use dxil_cpu::watch::{Invocation, WatchedWave};
use dxil_frontend::dxil::ShaderKind;

use crate::lanes::wave_of_thread;

/// What is debugged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A thread of a group, by its number; none where any thread of its first wave will do.
    Thread {
        /// The group.
        group: [u32; 3],
        /// The thread.
        thread: Option<u32>,
    },
    /// A ray of a dispatch of rays: `DispatchRaysIndex`.
    Ray([u32; 3]),
    /// An invocation of a draw's stage.
    Invocation(Wanted),
    /// A thread of a node of a work graph.
    Node {
        /// Name of the entry point.
        name: String,
        /// Number of the group among all that the node launches.
        group: u32,
        /// The thread, by its number in the group.
        thread: u32,
    },
}

/// An invocation that is looked for in a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// This one. Of a group's threads it is the one of that number.
    One(Invocation, u32),
    /// A pixel: the last primitive that is drawn there, unless one is named.
    Pixel {
        /// Column and row.
        at: [u32; 2],
        /// The primitive.
        primitive: Option<u32>,
        /// The sample, of a shader that runs for each of them.
        sample: Option<u32>,
    },
}

/// The forms that [`Target`] is read from.
pub const FORMS: &str = "X,Y,Z[:THREAD] (a group), ray:X,Y[,Z], vertex:N[,INSTANCE], control-point:PATCH,POINT, patch:N, domain-point:PATCH,POINT, primitive:N[,INSTANCE], pixel:X,Y[,PRIMITIVE[,SAMPLE]], mesh:X,Y,Z[:THREAD], amplification:X,Y,Z[:THREAD], node:NAME[,GROUP[:THREAD]]";

impl Wanted {
    /// Returns the stage that runs it.
    pub fn stage(&self) -> ShaderKind {
        match self {
            Wanted::One(invocation, _) => invocation.stage(),
            Wanted::Pixel { .. } => ShaderKind::Pixel,
        }
    }

    /// Returns whether an invocation is the one.
    pub fn is(&self, other: &Invocation) -> bool {
        match (self, other) {
            (Wanted::One(wanted, _), other) => wanted == other,
            (
                Wanted::Pixel {
                    at,
                    primitive,
                    sample,
                },
                Invocation::Pixel {
                    at: there,
                    primitive: of,
                    sample: number,
                },
            ) => {
                at == there
                    && primitive.is_none_or(|primitive| primitive == *of)
                    && sample.is_none_or(|sample| number.is_none_or(|number| number == sample))
            }
            _ => false,
        }
    }

    /// Returns whether the last invocation is meant, and not the first.
    pub fn is_last(&self) -> bool {
        matches!(
            self,
            Wanted::Pixel {
                primitive: None,
                ..
            }
        )
    }

    /// Returns whether a group of so many threads has the thread; other invocations are theirs.
    pub fn has_thread(&self, threads: u32) -> bool {
        match self {
            Wanted::One(Invocation::Group { .. }, thread) => *thread < threads,
            _ => true,
        }
    }

    /// Returns the wave of a recorded run, and the lane in it.
    pub fn wave(&self, lane: usize, lanes: u32) -> (WatchedWave, usize) {
        match self {
            Wanted::One(Invocation::Group { group, .. }, thread) => {
                wave_of_thread(*group, *thread, lanes)
            }
            _ => wave_of_thread([0; 3], lane as u32, lanes),
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::One(invocation @ Invocation::Group { .. }, thread) => {
                write!(f, "thread {thread} in {invocation}")
            }
            Wanted::One(invocation, _) => invocation.fmt(f),
            Wanted::Pixel {
                at: [x, y],
                primitive,
                sample,
            } => {
                write!(f, "pixel {x},{y}")?;
                if let Some(primitive) = primitive {
                    write!(f, " of primitive {primitive}")?;
                }
                match sample {
                    Some(sample) => write!(f, ", sample {sample}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl FromStr for Target {
    type Err = String;

    /// Reads one of the [`FORMS`]. A space may stand in the place of the first colon.
    fn from_str(text: &str) -> Result<Target, String> {
        let problem = || format!("write {FORMS}");
        let name = text.find(|c: char| !(c.is_ascii_alphabetic() || c == '-'));
        let (name, rest) = text.split_at(name.unwrap_or(text.len()));
        let rest = rest.strip_prefix([':', ' ']).unwrap_or(rest).trim();
        if name == "node" {
            return node(rest).ok_or_else(problem);
        }
        let (numbers, thread) = match rest.split_once(':') {
            Some((numbers, thread)) => (numbers, Some(number(thread).ok_or_else(problem)?)),
            None => (rest, None),
        };
        let numbers: Option<Vec<u32>> = numbers.split(',').map(number).collect();
        let numbers = numbers.ok_or_else(problem)?;
        let at = |place: usize| numbers.get(place).copied();
        let or_0 = |place: usize| at(place).unwrap_or(0);
        let most = match name {
            "" | "ray" | "mesh" | "amplification" => 3,
            "pixel" => 4,
            "patch" => 1,
            _ => 2,
        };
        let has_threads = matches!(name, "" | "mesh" | "amplification");
        if numbers.len() > most || (thread.is_some() && !has_threads) {
            return Err(problem());
        }
        let group = [or_0(0), or_0(1), or_0(2)];
        let one = |invocation| Target::Invocation(Wanted::One(invocation, thread.unwrap_or(0)));
        Ok(match name {
            "" => Target::Thread { group, thread },
            "ray" => Target::Ray(group),
            "vertex" => one(Invocation::Vertex {
                vertex: or_0(0),
                instance: or_0(1),
            }),
            "control-point" => one(Invocation::ControlPoint {
                patch: or_0(0),
                point: or_0(1),
            }),
            "patch" => one(Invocation::PatchConstants { patch: or_0(0) }),
            "domain-point" => one(Invocation::DomainPoint {
                patch: or_0(0),
                point: or_0(1),
            }),
            "primitive" => one(Invocation::Primitive {
                primitive: or_0(0),
                instance: or_0(1),
            }),
            "pixel" => Target::Invocation(Wanted::Pixel {
                at: [or_0(0), at(1).ok_or_else(problem)?],
                primitive: at(2),
                sample: at(3),
            }),
            "mesh" => one(Invocation::Group {
                stage: ShaderKind::Mesh,
                group,
            }),
            "amplification" => one(Invocation::Group {
                stage: ShaderKind::Amplification,
                group,
            }),
            _ => return Err(problem()),
        })
    }
}

/// Reads `NAME[,GROUP[:THREAD]]`.
fn node(text: &str) -> Option<Target> {
    let (name, place) = text.split_once(',').unwrap_or((text, "0"));
    let (group, thread) = place.split_once(':').unwrap_or((place, "0"));
    let name = name.trim();
    (!name.is_empty()).then_some(Target::Node {
        name: name.to_owned(),
        group: number(group)?,
        thread: number(thread)?,
    })
}

fn number(text: &str) -> Option<u32> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_read() {
        let read = |text: &str| text.parse::<Target>();
        let thread = |group, thread| Ok(Target::Thread { group, thread });
        assert_eq!(read("3"), thread([3, 0, 0], None));
        assert_eq!(read("3,1,2:17"), thread([3, 1, 2], Some(17)));
        assert_eq!(read("ray 4,5"), Ok(Target::Ray([4, 5, 0])));
        let pixel = |at, primitive, sample| {
            Ok(Target::Invocation(Wanted::Pixel {
                at,
                primitive,
                sample,
            }))
        };
        assert_eq!(read("pixel:3,4"), pixel([3, 4], None, None));
        assert_eq!(read("pixel 3,4,7,2"), pixel([3, 4], Some(7), Some(2)));
        let stage = ShaderKind::Mesh;
        let group = [1, 0, 0];
        let group = Invocation::Group { stage, group };
        let mesh = Ok(Target::Invocation(Wanted::One(group, 40)));
        assert_eq!(read("mesh:1:40"), mesh);
        let node = |group, thread| {
            let name = "Fill".to_owned();
            Ok(Target::Node {
                name,
                group,
                thread,
            })
        };
        assert_eq!(read("node:Fill"), node(0, 0));
        assert_eq!(read("node Fill,3"), node(3, 0));
        assert_eq!(read("node:Fill,3:17"), node(3, 17));
        for bad in [
            "node:",
            "node:Fill,x",
            "pixel:3",
            "vertex:1,2,3",
            "vertex:1:2",
            "ray:x",
            "1,2,3,4",
            "tree:1",
            "ray",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_pixel_is_any_primitive_or_one() {
        let of = |primitive, sample| Invocation::Pixel {
            at: [3, 4],
            primitive,
            sample,
        };
        let wanted = |text: &str| match text.parse() {
            Ok(Target::Invocation(wanted)) => wanted,
            other => panic!("{other:?}"),
        };
        assert!(wanted("pixel:3,4").is(&of(9, None)) && wanted("pixel:3,4").is_last());
        assert!(!wanted("pixel:3,5").is(&of(9, None)));
        assert!(wanted("pixel:3,4,9,1").is(&of(9, Some(1))));
        assert!(!wanted("pixel:3,4,9,1").is(&of(9, Some(2))));
        assert!(!wanted("pixel:3,4,8").is(&of(9, None)));
    }
}
