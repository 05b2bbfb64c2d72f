//! Probes and shadows: the instructions that checks add to the code.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::QuadDirection;

use super::context::Context;
use crate::check::{AccessKind, FindingKind, Missing, Report};
use crate::decode::code::{
    CONSTANT_BIT, Complex, FloatWidth, LaneSource, Probe, RegisterSlot, Shadow, ViewRequirements,
    slot,
};
use crate::decode::origins::{UNDEF_ORIGIN, UNWRITTEN};
use crate::resources::{Component, Descriptor, Dimension};
use crate::schedule::stack::Mask;

impl Context<'_> {
    pub(super) fn probe(&self, probe: &Probe, complex: &Complex) {
        match probe {
            Probe::Defined => self.probe_defined(complex),
            Probe::Index {
                variable,
                count,
                bytes,
                is_read,
            } => self.probe_index(variable, (*count, *bytes), *is_read, complex),
            Probe::Uniform { resource } => self.probe_uniform(resource, complex),
            Probe::View(wanted) => self.probe_view(wanted, complex),
            Probe::Aligned { bytes } => self.probe_alignment(*bytes, complex),
            Probe::Element {
                stride,
                bytes,
                is_read,
            } => self.probe_element((*stride, *bytes), *is_read, complex),
            Probe::Converged => {
                if self.mask != self.started
                    && let Some(lane) = self.on().next()
                {
                    let (here, all) = (self.mask.count_ones(), self.started.count_ones());
                    let report = Report {
                        detail: format!("{here} of {all} lanes"),
                        ..Report::default()
                    };
                    let kind = FindingKind::DivergentWaveOperation;
                    self.report(lane, kind, AccessKind::Use, report);
                }
            }
            Probe::Fence(fence) => self.pass_fence(*fence),
            Probe::Finite { width, from } => self.probe_finite(*width, *from, complex),
        }
    }

    fn probe_defined(&self, complex: &Complex) {
        for &shadow in &complex.src {
            for lane in self.on() {
                let shadow = self.registers.word(shadow, lane);
                if shadow == 0 {
                    continue;
                }
                let kind = self.shared.kernel.origin_kind(shadow);
                if kind == Some(FindingKind::OutOfBounds) {
                    self.use_read(lane, shadow);
                    continue;
                }
                let report = Report {
                    origin: shadow,
                    ..Report::default()
                };
                let kind = kind.unwrap_or(FindingKind::UndefinedValue);
                self.report(lane, kind, AccessKind::Use, report);
            }
        }
    }

    fn probe_index(
        &self,
        variable: &str,
        (count, bytes): (u64, u32),
        is_read: bool,
        complex: &Complex,
    ) {
        let index = slot(&complex.src, 0);
        for lane in self.on() {
            let index = self.registers.word(index, lane);
            if u64::from(index) < count {
                continue;
            }
            let report = Report {
                resource: variable.to_owned(),
                byte: Some(u64::from(index).wrapping_mul(u64::from(bytes))),
                // A negative index is shown as such.
                detail: format!("index {} of {count}", index as i32),
                ..Report::default()
            };
            self.outside_of(lane, is_read, report);
        }
    }

    fn probe_uniform(&self, resource: &str, complex: &Complex) {
        let index = slot(&complex.src, 0);
        let mut lanes = self.on();
        let Some(first) = lanes.next() else { return };
        let wanted = self.registers.word(index, first);
        let other = lanes.find(|&lane| self.registers.word(index, lane) != wanted);
        if let Some(lane) = other {
            let other = self.registers.word(index, lane);
            let report = Report {
                resource: resource.to_owned(),
                detail: format!("indices {wanted} and {other}"),
                ..Report::default()
            };
            self.report(lane, FindingKind::NonUniformIndex, AccessKind::Use, report);
        }
    }

    fn probe_view(&self, wanted: &ViewRequirements, complex: &Complex) {
        let mut known = None;
        for lane in self.on() {
            let handle = self.registers.word(slot(&complex.src, 0), lane);
            let sampler = self.registers.word(slot(&complex.src, 1), lane);
            let handles = (handle, sampler);
            // Most instructions use one resource in all lanes.
            if known == Some(handles) {
                continue;
            }
            known = Some(handles);
            if let Some(detail) = self.mismatch(wanted, handle, sampler) {
                let report = Report {
                    resource: self.shared.table.name_of(self.shared.kernel, handle),
                    detail: detail.to_owned(),
                    ..Report::default()
                };
                self.report(lane, FindingKind::TypeMismatch, AccessKind::Use, report);
            }
        }
    }

    /// Returns why a view is not what an instruction wants.
    fn mismatch(
        &self,
        wanted: &ViewRequirements,
        handle: u32,
        sampler: u32,
    ) -> Option<&'static str> {
        use ResourceKind as K;
        let shape = self.shared.shape(wanted.shape, handle)?;
        let format = match (self.shared.descriptor(handle), shape.kind) {
            (Descriptor::Null, _) => return None,
            (Descriptor::Buffer(buffer), K::TypedBuffer) => match buffer.format {
                Some(format) => Some(format),
                None => return Some("the view has no format"),
            },
            (Descriptor::Buffer(_), K::RawBuffer | K::StructuredBuffer | K::TBuffer) => None,
            (Descriptor::Texture(texture), kind) => {
                let dimension = match kind {
                    K::Texture1D | K::Texture1DArray => Dimension::D1,
                    K::Texture3D => Dimension::D3,
                    K::TypedBuffer | K::RawBuffer | K::StructuredBuffer | K::TBuffer => {
                        return Some("the shader declares a buffer, the view is of a texture");
                    }
                    _ => Dimension::D2,
                };
                if texture.texture.dimension != dimension {
                    return Some("the view is of a texture with another dimension");
                }
                let is_multisampled = matches!(kind, K::Texture2DMS | K::Texture2DMSArray);
                if is_multisampled != (texture.texture.samples > 1) && !is_multisampled {
                    return Some("the view is of a multisampled texture");
                }
                Some(texture.format)
            }
            (Descriptor::Buffer(_), _) => {
                return Some("the shader declares a texture, the view is of a buffer");
            }
            _ => return Some("the descriptor is of another kind"),
        };
        if let (Some(format), Some(is_float)) = (format, wanted.is_float) {
            let has_floats = !matches!(format.component, Component::Uint | Component::Sint);
            if is_float && !has_floats {
                return Some("the shader declares floats, the format has integers");
            }
            if !is_float && has_floats {
                return Some("the shader declares integers, the format has floats");
            }
        }
        if let (Some(compares), Descriptor::Sampler(sampler)) =
            (wanted.compares, self.shared.descriptor(sampler))
            && compares
            && sampler.comparison.is_none()
        {
            return Some("the sampler does not compare");
        }
        None
    }

    fn probe_alignment(&self, bytes: u32, complex: &Complex) {
        for lane in self.on() {
            let parts = complex.src.iter();
            let address = parts.fold(0_u32, |sum, &part| {
                sum.wrapping_add(self.registers.word(part, lane))
            });
            if !address.is_multiple_of(bytes) {
                let report = Report {
                    byte: Some(u64::from(address)),
                    detail: format!("not a multiple of {bytes}"),
                    ..Report::default()
                };
                self.report(lane, FindingKind::Misaligned, AccessKind::Use, report);
            }
        }
    }

    fn probe_element(&self, (stride, bytes): (u32, u32), is_read: bool, complex: &Complex) {
        for lane in self.on() {
            let offset = self.registers.word(slot(&complex.src, 1), lane);
            if u64::from(offset) + u64::from(bytes) <= u64::from(stride) {
                continue;
            }
            let handle = self.registers.word(slot(&complex.src, 0), lane);
            let report = Report {
                resource: self.shared.table.name_of(self.shared.kernel, handle),
                detail: format!("byte {offset} of a structure of {stride}"),
                ..Report::default()
            };
            self.outside_of(lane, is_read, report);
        }
    }

    /// Reports an access outside of an array or a structure.
    fn outside_of(&self, lane: usize, is_read: bool, report: Report) {
        let kind = FindingKind::OutOfBounds;
        if is_read && self.shared.kernel.follows_values {
            self.defer(lane, Missing::Outside(kind, report), AccessKind::Use);
        } else {
            self.report(lane, kind, AccessKind::Use, report);
        }
    }

    fn probe_finite(&self, width: FloatWidth, from: FloatWidth, complex: &Complex) {
        let Some((&result, operands)) = complex.src.split_first() else {
            return;
        };
        let is_finite = |width: FloatWidth, slot: RegisterSlot, lane: usize| {
            let bits = self.registers.get(slot, lane);
            match width {
                FloatWidth::Half => bits & 0x7c00 != 0x7c00,
                FloatWidth::Single => bits & 0x7f80_0000 != 0x7f80_0000,
                FloatWidth::Double => bits >> 52 & 0x7ff != 0x7ff,
            }
        };
        for lane in self.on() {
            if is_finite(width, result, lane) {
                continue;
            }
            if operands
                .iter()
                .all(|&operand| is_finite(from, operand, lane))
            {
                self.report(
                    lane,
                    FindingKind::NonFinite,
                    AccessKind::Use,
                    Report::default(),
                );
            }
        }
    }

    // Shadows.

    pub(super) fn shadow(&self, shadow: &Shadow, complex: &Complex) {
        match shadow {
            Shadow::Alloca { first, words } => {
                let first = self.frame_private.wrapping_add(*first);
                for address in first..first.saturating_add(*words) {
                    for lane in self.on() {
                        self.set_shadow(address, lane, UNWRITTEN);
                    }
                }
            }
            Shadow::Read { origin } => {
                let missing = self.end_read(*origin);
                for lane in self.on() {
                    let found = if missing >> lane & 1 != 0 { *origin } else { 0 };
                    self.registers
                        .set(slot(&complex.dst, 0), lane, u64::from(found));
                }
            }
            Shadow::Load {
                origin,
                outside,
                wide,
            } => {
                let missing = self.end_read(*outside);
                for lane in self.on() {
                    let mut address = self.registers.word(slot(&complex.src, 0), lane);
                    for (&dst, &is_wide) in complex.dst.iter().zip(wide) {
                        let found = match self.shadow_at(address, lane) {
                            _ if missing >> lane & 1 != 0 => *outside,
                            UNWRITTEN => *origin,
                            known => known,
                        };
                        self.registers.set(dst, lane, u64::from(found));
                        address = address.wrapping_add(1 + u32::from(is_wide));
                    }
                }
            }
            Shadow::Store { wide } => {
                for lane in self.on() {
                    let mut address = self.registers.word(slot(&complex.src, 0), lane);
                    for (&value, &is_wide) in complex.src.iter().skip(1).zip(wide) {
                        let shadow = self.registers.word(value, lane);
                        self.set_shadow(address, lane, shadow);
                        if is_wide {
                            self.set_shadow(address.wrapping_add(1), lane, shadow);
                        }
                        address = address.wrapping_add(1 + u32::from(is_wide));
                    }
                }
            }
            Shadow::Lanes { from, origin } => self.shadow_lanes(*from, *origin, complex),
        }
    }

    fn shadow_at(&self, address: u32, lane: usize) -> u32 {
        if address & CONSTANT_BIT != 0 {
            return 0;
        }
        let at = (address as usize).saturating_mul(self.lanes) + lane;
        self.private_shadow.get(at).map_or(0, std::cell::Cell::get)
    }

    fn set_shadow(&self, address: u32, lane: usize, shadow: u32) {
        let at = (address as usize).saturating_mul(self.lanes) + lane;
        if address & CONSTANT_BIT == 0
            && let Some(cell) = self.private_shadow.get(at)
        {
            cell.set(shadow);
        }
    }

    fn shadow_lanes(&self, from: LaneSource, origin: u32, complex: &Complex) {
        let index = slot(&complex.src, 0);
        let shadows = complex.src.get(1..).unwrap_or_default();
        let first = self.mask.trailing_zeros() as usize;
        for lane in self.on() {
            let index = self.registers.word(index, lane) as usize;
            let other = match from {
                LaneSource::Wave => index,
                LaneSource::Quad => lane & !3 | index & 3,
                LaneSource::Across(QuadDirection::AcrossX) => lane ^ 1,
                LaneSource::Across(QuadDirection::AcrossY) => lane ^ 2,
                LaneSource::Across(QuadDirection::AcrossDiagonal) => lane ^ 3,
                LaneSource::First => first,
                LaneSource::WholeQuad => lane,
            };
            let is_there = match from {
                LaneSource::WholeQuad => {
                    let quad: Mask = 0b1111 << (lane & !3);
                    self.mask & quad == quad
                }
                _ => self.is_on(other),
            };
            let shadow = if is_there {
                let mut shadows = shadows.iter();
                let shadows = shadows.by_ref().map(|&s| self.registers.word(s, other));
                shadows.into_iter().find(|&shadow| shadow != 0).unwrap_or(0)
            } else {
                origin
            };
            self.registers
                .set(slot(&complex.dst, 0), lane, u64::from(shadow));
        }
    }
}

const _: () = assert!(UNDEF_ORIGIN != 0 && UNDEF_ORIGIN != UNWRITTEN);
