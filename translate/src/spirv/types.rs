//! Types. All are interned, except those with layout decorations. A type declares the capability
//! that it needs. Equal declarations of other types than aggregates and pointers are invalid
//! (SPIR-V specification, 2.8).

use super::{Builder, Capability, Decoration, Dim, Id, ImageFormat, Op, Scope, StorageClass};

/// The parts of an image type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ImageType {
    /// Scalar type of a texel's components.
    pub(crate) sampled: Id,
    /// Dimensionality.
    pub(crate) dim: Dim,
    /// Whether it has layers.
    pub(crate) arrayed: bool,
    /// Whether it has several samples.
    pub(crate) multisampled: bool,
    /// Whether it is used without sampler and with stores (a storage image).
    pub(crate) storage: bool,
    /// Texel format of a storage image.
    pub(crate) format: ImageFormat,
}

impl Builder {
    /// Returns the type `void`.
    pub(crate) fn void(&mut self) -> Id {
        if self.common.void.is_none() {
            self.common.void = self.intern::<u32>(Op::TypeVoid, Id::NONE, &[]);
        }
        self.common.void
    }

    /// Returns the type `bool`.
    pub(crate) fn bool(&mut self) -> Id {
        if self.common.bool_.is_none() {
            self.common.bool_ = self.intern::<u32>(Op::TypeBool, Id::NONE, &[]);
        }
        self.common.bool_
    }

    /// Returns the 32-bit unsigned integer, the type of every 32-bit integer here; the opcodes say
    /// whether an operand has a sign.
    pub(crate) fn u32(&mut self) -> Id {
        if self.common.u32_.is_none() {
            self.common.u32_ = self.intern(Op::TypeInt, Id::NONE, &[32, 0]);
        }
        self.common.u32_
    }

    /// Returns the 32-bit float.
    pub(crate) fn f32(&mut self) -> Id {
        if self.common.f32_.is_none() {
            self.common.f32_ = self.intern(Op::TypeFloat, Id::NONE, &[32]);
        }
        self.common.f32_
    }

    /// Returns the unsigned integer of 8, 16, 32 or 64 bits.
    pub(crate) fn uint(&mut self, bits: u32) -> Id {
        match bits {
            8 => self.capability(Capability::Int8),
            16 => self.capability(Capability::Int16),
            64 => self.capability(Capability::Int64),
            _ => return self.u32(),
        }
        self.intern(Op::TypeInt, Id::NONE, &[bits, 0])
    }

    /// Returns a signed integer, for the few uses that require one (image types, built-ins).
    pub(crate) fn int(&mut self, bits: u32) -> Id {
        match bits {
            8 => self.capability(Capability::Int8),
            16 => self.capability(Capability::Int16),
            64 => self.capability(Capability::Int64),
            _ => {}
        }
        self.intern(Op::TypeInt, Id::NONE, &[bits, 1])
    }

    /// Returns the float of 16, 32 or 64 bits.
    pub(crate) fn float(&mut self, bits: u32) -> Id {
        match bits {
            16 => self.capability(Capability::Float16),
            64 => self.capability(Capability::Float64),
            _ => return self.f32(),
        }
        self.intern(Op::TypeFloat, Id::NONE, &[bits])
    }

    /// Returns a float whose encoding is not that of IEEE 754. The caller declares capabilities and
    /// extensions.
    pub(crate) fn encoded_float(&mut self, bits: u32, encoding: u32) -> Id {
        self.intern(Op::TypeFloat, Id::NONE, &[bits, encoding])
    }

    /// Returns a square cooperative matrix. The caller declares capabilities and extensions.
    pub(crate) fn cooperative_matrix(
        &mut self,
        component: Id,
        scope: Scope,
        size: u32,
        role: u32,
    ) -> Id {
        let [scope, size, role] = [scope as u32, size, role].map(|number| self.const_u32(number));
        let words = [component, scope, size, size, role];
        self.intern(Op::TypeCooperativeMatrixKHR, Id::NONE, &words)
    }

    /// Returns the vector of 2 to 4 scalars, or of more where the target has long vectors.
    pub(crate) fn vector(&mut self, scalar: Id, count: u32) -> Id {
        if count > 4 {
            self.capability(Capability::LongVectorEXT);
            self.extension("SPV_EXT_long_vector");
        }
        if let Some(known) = self.common.vector(scalar, count)
            && !known.is_none()
        {
            return *known;
        }
        let id = self.intern(Op::TypeVector, Id::NONE, &[scalar.0, count]);
        if let Some(known) = self.common.vector(scalar, count) {
            *known = id;
        }
        id
    }

    /// Returns the scalar itself for `count` 1, otherwise a vector.
    pub(crate) fn vector_or_scalar(&mut self, scalar: Id, count: u32) -> Id {
        if count == 1 {
            scalar
        } else {
            self.vector(scalar, count)
        }
    }

    /// Returns the matrix of that many column vectors.
    pub(crate) fn matrix(&mut self, column: Id, columns: u32) -> Id {
        self.intern(Op::TypeMatrix, Id::NONE, &[column.0, columns])
    }

    /// Returns an array without layout (local, Private, Workgroup, Input, Output, descriptors).
    pub(crate) fn array(&mut self, element: Id, count: u32) -> Id {
        let count = self.const_u32(count);
        self.intern(Op::TypeArray, Id::NONE, &[element, count])
    }

    /// Returns an array in an explicitly laid out block; count 0 is a runtime array.
    pub(crate) fn strided_array(&mut self, element: Id, count: u32, stride: u32) -> Id {
        if let Some(&id) = self.strided_arrays.get(&(element, count, stride)) {
            return id;
        }
        // A layout is part of the id: two arrays of one element type may have different strides.
        let id = if count == 0 {
            self.global(Op::TypeRuntimeArray, Id::NONE, &[element])
        } else {
            let count = self.const_u32(count);
            self.global(Op::TypeArray, Id::NONE, &[element, count])
        };
        self.decorate(id, Decoration::ArrayStride, &[stride]);
        self.strided_arrays.insert((element, count, stride), id);
        id
    }

    /// Returns the pointer type of a storage class without a pointee.
    pub(crate) fn untyped_pointer(&mut self, class: StorageClass) -> Id {
        self.intern(Op::TypeUntypedPointerKHR, Id::NONE, &[class as u32])
    }

    /// Returns the type of a buffer's descriptor in a heap. The class is that of the memory.
    pub(crate) fn buffer_descriptor(&mut self, class: StorageClass) -> Id {
        self.intern(Op::TypeBufferEXT, Id::NONE, &[class as u32])
    }

    /// Returns the constant that is the size of a descriptor on the device.
    pub(crate) fn size_of_descriptor(&mut self, descriptor: Id) -> Id {
        let word = self.u32();
        self.intern(Op::ConstantSizeOfEXT, word, &[descriptor])
    }

    /// Returns a runtime array without layout (descriptors).
    pub(crate) fn runtime_array(&mut self, element: Id) -> Id {
        self.intern(Op::TypeRuntimeArray, Id::NONE, &[element])
    }

    /// Returns a struct without layout.
    pub(crate) fn struct_type(&mut self, members: &[Id]) -> Id {
        self.intern(Op::TypeStruct, Id::NONE, members)
    }

    /// Returns a struct that no other use shares, for the caller to decorate (blocks).
    pub(crate) fn unique_struct(&mut self, members: &[Id]) -> Id {
        self.global(Op::TypeStruct, Id::NONE, members)
    }

    /// Returns the pointer type of a storage class and a pointee.
    #[inline(never)]
    pub(crate) fn pointer(&mut self, class: StorageClass, pointee: Id) -> Id {
        self.intern_here(Op::TypePointer, Id::NONE, &[class as u32, pointee.0])
    }

    /// Returns the function type of a result and parameters.
    pub(crate) fn function_type(&mut self, ret: Id, params: &[Id]) -> Id {
        let words: Vec<Id> = std::iter::once(ret).chain(params.iter().copied()).collect();
        self.intern(Op::TypeFunction, Id::NONE, &words)
    }

    /// Returns an image. The caller declares the capabilities that dimension and format need.
    pub(crate) fn image(&mut self, image: ImageType) -> Id {
        let ImageType {
            sampled,
            dim,
            arrayed,
            multisampled,
            storage,
            format,
        } = image;
        let words = [
            sampled.0,
            dim as u32,
            0, // depth: not a depth image as far as the type goes; comparison is the sampler's work
            u32::from(arrayed),
            u32::from(multisampled),
            if storage { 2 } else { 1 },
            format as u32,
        ];
        self.intern(Op::TypeImage, Id::NONE, &words)
    }

    /// Returns the sampler type.
    pub(crate) fn sampler(&mut self) -> Id {
        self.intern::<u32>(Op::TypeSampler, Id::NONE, &[])
    }

    /// Returns the type of an image combined with a sampler.
    pub(crate) fn sampled_image(&mut self, image: Id) -> Id {
        self.intern(Op::TypeSampledImage, Id::NONE, &[image])
    }

    /// Returns the ray query type.
    pub(crate) fn ray_query(&mut self) -> Id {
        self.intern::<u32>(Op::TypeRayQueryKHR, Id::NONE, &[])
    }

    /// Returns a hit object type: `TypeHitObjectEXT` or `TypeHitObjectNV`.
    pub(crate) fn hit_object(&mut self, op: Op) -> Id {
        self.intern::<u32>(op, Id::NONE, &[])
    }

    /// Returns the acceleration structure type.
    pub(crate) fn acceleration_structure(&mut self) -> Id {
        self.intern::<u32>(Op::TypeAccelerationStructureKHR, Id::NONE, &[])
    }
}
