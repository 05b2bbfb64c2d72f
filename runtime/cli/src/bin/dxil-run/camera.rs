//! Cameras as contents of matrices: `--bind Camera.viewProj=camera+from=2/1/3`.
//!
//! Positions are right-handed, as Wavefront and glTF files have them; clip space is D3D's, with
//! depths from 0 to 1 (D3D11.3 functional specification, 3.3).

use crate::args::Args;
use crate::draw;
use crate::failure::Result;
use crate::vertices::Vertices;

/// A matrix by rows.
type Matrix = [[f32; 4]; 4];

/// What a camera has to show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    /// Middle of the vertices.
    pub(crate) centre: [f32; 3],
    /// Radius of a sphere around them.
    pub(crate) radius: f32,
    /// Width of the picture, divided by its height.
    pub(crate) aspect: f32,
}

impl Frame {
    /// Returns the frame of a draw: the vertices of `--vertices` in the first render target.
    ///
    /// # Errors
    ///
    /// The file of `--vertices` cannot be read.
    pub(crate) fn of(args: &Args) -> Result<Self> {
        let [width, height] = draw::target_size(args, 0);
        let aspect = width as f32 / height.max(1) as f32;
        let positions = match &args.vertices {
            Some(path) => Vertices::read(path)?.positions(),
            None => Vec::new(),
        };
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        for position in &positions {
            for axis in 0..3 {
                low[axis] = low[axis].min(position[axis]);
                high[axis] = high[axis].max(position[axis]);
            }
        }
        if positions.is_empty() {
            (low, high) = ([-1.0; 3], [1.0; 3]);
        }
        let centre = [0, 1, 2].map(|axis| (low[axis] + high[axis]) / 2.0);
        let radius = length(minus(high, centre));
        Ok(Frame {
            centre,
            radius: if radius > 0.0 { radius } else { 1.0 },
            aspect,
        })
    }
}

/// Which transformation a matrix is.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// From the world to the camera's axes.
    View,
    /// From those to clip space.
    Projection,
    /// Both.
    Both,
}

/// A camera as it is written.
#[derive(Clone, Copy)]
pub(crate) struct Camera {
    part: Part,
    from: Option<[f32; 3]>,
    at: Option<[f32; 3]>,
    /// Vertical angle of view in degrees.
    degrees: f32,
    /// Whether the shader multiplies `mul(position, matrix)`.
    rows: bool,
}

impl Camera {
    /// Reads `camera`, `view` or `projection` with options; `None` if the text begins otherwise.
    ///
    /// # Errors
    ///
    /// An option is not known or has another value than it takes.
    pub(crate) fn parse(text: &str) -> Option<Result<Camera, String>> {
        let mut words = text.split('+');
        let part = match words.next()? {
            "camera" => Part::Both,
            "view" => Part::View,
            "projection" => Part::Projection,
            _ => return None,
        };
        let mut camera = Camera {
            part,
            from: None,
            at: None,
            degrees: 45.0,
            rows: false,
        };
        for word in words {
            if let Err(error) = camera.apply(word) {
                return Some(Err(error));
            }
        }
        Some(Ok(camera))
    }

    fn apply(&mut self, word: &str) -> Result<(), String> {
        let bad = || {
            format!(
                "`{word}` says nothing of a camera; there are from=X/Y/Z, at=X/Y/Z, fov=45, rows"
            )
        };
        match word.split_once('=') {
            Some(("from", place)) => self.from = Some(place_of(place).ok_or_else(bad)?),
            Some(("at", place)) => self.at = Some(place_of(place).ok_or_else(bad)?),
            Some(("fov", angle)) => {
                let degrees = angle.parse().ok();
                let degrees = degrees.filter(|d| (1.0..=179.0).contains(d));
                self.degrees = degrees.ok_or_else(bad)?;
            }
            None if word == "rows" => self.rows = true,
            _ => return Err(bad()),
        }
        Ok(())
    }

    /// Returns the matrix by rows, as the shader multiplies it.
    pub(crate) fn matrix(&self, frame: &Frame) -> Matrix {
        let half = (self.degrees.to_radians() / 2.0).tan();
        let at = self.at.unwrap_or(frame.centre);
        // The sphere fits the smaller of both angles of view.
        let smaller = (half * frame.aspect.min(1.0)).atan().sin();
        let distance = frame.radius / smaller * 1.05;
        let side = unit([0.4, 0.5, 1.0]);
        let from = self
            .from
            .unwrap_or_else(|| [0, 1, 2].map(|axis| at[axis] + side[axis] * distance));
        let to_centre = length(minus(from, frame.centre));
        let far = to_centre + frame.radius * 1.1;
        let near = (to_centre - frame.radius * 1.1).max(far / 1000.0);
        let view = view(from, at);
        let scale = 1.0 / half;
        let projection = [
            [scale / frame.aspect, 0.0, 0.0, 0.0],
            [0.0, scale, 0.0, 0.0],
            [0.0, 0.0, far / (near - far), near * far / (near - far)],
            [0.0, 0.0, -1.0, 0.0],
        ];
        let matrix = match self.part {
            Part::View => view,
            Part::Projection => projection,
            Part::Both => product(&projection, &view),
        };
        if self.rows {
            transposed(&matrix)
        } else {
            matrix
        }
    }
}

/// Returns the numbers of a matrix as a field takes them: by rows, wherever they lie in memory.
pub(crate) fn numbers(matrix: &Matrix) -> String {
    let numbers: Vec<String> = matrix.iter().flatten().map(f32::to_string).collect();
    numbers.join(",")
}

fn view(from: [f32; 3], at: [f32; 3]) -> Matrix {
    let back = unit(minus(from, at));
    // Looking straight up or down, the picture's top is -z.
    let up = if back[1].abs() > 0.999 {
        [0.0, 0.0, -1.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let right = unit(cross(up, back));
    let up = cross(back, right);
    let row = |axis: [f32; 3]| [axis[0], axis[1], axis[2], -dot(axis, from)];
    [row(right), row(up), row(back), [0.0, 0.0, 0.0, 1.0]]
}

fn place_of(text: &str) -> Option<[f32; 3]> {
    let mut numbers = text.split('/').map(|word| word.parse::<f32>().ok());
    let place = [numbers.next()??, numbers.next()??, numbers.next()??];
    let is_place = numbers.next().is_none() && place.iter().all(|number| number.is_finite());
    is_place.then_some(place)
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| [0, 1, 2, 3].map(|column| (0..4).map(|i| row[i] * b[i][column]).sum()))
}

fn transposed(matrix: &Matrix) -> Matrix {
    [0, 1, 2, 3].map(|column| [0, 1, 2, 3].map(|row| matrix[row][column]))
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn length(vector: [f32; 3]) -> f32 {
    dot(vector, vector).sqrt()
}

fn unit(vector: [f32; 3]) -> [f32; 3] {
    let length = length(vector);
    if length > 0.0 {
        vector.map(|v| v / length)
    } else {
        [0.0, 0.0, 1.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame {
        centre: [5.0, 0.0, 0.0],
        radius: 2.0,
        aspect: 2.0,
    };

    fn shown(camera: &str, point: [f32; 3]) -> [f32; 4] {
        let matrix = Camera::parse(camera).unwrap().unwrap().matrix(&FRAME);
        let point = [point[0], point[1], point[2], 1.0];
        matrix.map(|row| (0..4).map(|i| row[i] * point[i]).sum())
    }

    #[test]
    fn everything_is_in_the_picture() {
        let [x, y, z, w] = shown("camera", FRAME.centre);
        assert!(x.abs() < 1e-4 && y.abs() < 1e-4 && (0.0..=w).contains(&z));
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut point = FRAME.centre;
                point[axis] += sign * FRAME.radius;
                let [x, y, z, w] = shown("camera", point);
                assert!(w > 0.0 && x.abs() <= w && y.abs() <= w, "{point:?}");
                assert!((0.0..=w).contains(&z), "{point:?}");
            }
        }
    }

    #[test]
    fn cameras_look_from_a_place_at_a_place() {
        // From +z, x is to the right and y up; what is nearer has the smaller depth.
        let from_front = "camera+from=5/0/10+at=5/0/0+fov=90";
        let [x, y, _, w] = shown(from_front, [6.0, 0.5, 0.0]);
        // At a distance of 10 and 90 degrees the picture shows 10 units up and 20 to the right.
        assert!((w - 10.0).abs() < 1e-4);
        assert!((x / w - 1.0 / 20.0).abs() < 1e-5 && (y / w - 0.5 / 10.0).abs() < 1e-5);
        let depth = |z: f32| {
            let [_, _, z, w] = shown(from_front, [5.0, 0.0, z]);
            z / w
        };
        assert!(depth(1.0) < depth(0.0) && depth(0.0) < depth(-1.0));
        // From above the picture's top is -z.
        let [_, y, ..] = shown("camera+from=5/9/0", [5.0, 0.0, -1.0]);
        assert!(y > 0.0);
    }

    #[test]
    fn a_camera_is_its_projection_of_its_view() {
        let options = "+from=1/2/9+fov=60";
        let [both, view, projection, rows] = ["camera", "view", "projection", "camera+rows"]
            .map(|part| format!("{part}{options}"))
            .map(|text| Camera::parse(&text).unwrap().unwrap().matrix(&FRAME));
        assert_eq!(both, product(&projection, &view));
        assert_eq!(rows, transposed(&both));
        assert!(numbers(&view).ends_with("0,0,0,1"));
    }

    #[test]
    fn other_texts_are_none_and_wrong_options_are_named() {
        assert!(Camera::parse("f32:1,2").is_none());
        for wrong in [
            "camera+from=1/2",
            "view+fov=0",
            "camera+near=1",
            "camera+at=1/2/x",
        ] {
            let error = Camera::parse(wrong).unwrap().err().unwrap();
            assert!(error.contains("from=X/Y/Z"), "{wrong}: {error}");
        }
    }
}
