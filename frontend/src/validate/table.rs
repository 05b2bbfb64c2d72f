//! The rows of the table of rules; [`super::Rule`] is made from it. Facts: the DXIL document
//! ("Validation Rules") and DXC's own table.
//!
//! A row: name in the code, official name, severity, minor number of the first validator version
//! that has the rule, the file of this folder where it is checked (`at`) or the reason why it is
//! not (`not`), and what the rule asks for.

/// Hands every row to the macro `$with`.
macro_rules! for_each_rule { ($with:ident) => { $with! {
    // BITCODE.
    BitcodeValid "BITCODE.VALID" Error 0 at "module",
        "the module is well-formed LLVM bitcode";
    // CONTAINER.
    ContainerPartMatches "CONTAINER.PARTMATCHES" Error 0 at "parts",
        "what a part says is what the module says";
    ContainerPartRepeated "CONTAINER.PARTREPEATED" Error 0 at "parts",
        "a part occurs once";
    ContainerPartMissing "CONTAINER.PARTMISSING" Error 0 at "parts",
        "the parts that the module asks for are there";
    ContainerPartInvalid "CONTAINER.PARTINVALID" Error 0 at "parts",
        "a part is one that this kind of shader has";
    ContainerRootSignatureIncompatible "CONTAINER.ROOTSIGNATUREINCOMPATIBLE" Error 0 at "root_signature",
        "the root signature binds what the shader declares";
    ContainerContentMatches "CONTAINER.CONTENTMATCHES" Error 0 at "psv",
        "a field of a part is what the module says";
    ContainerContentInvalid "CONTAINER.CONTENTINVALID" Error 0 at "parts",
        "a part is well-formed";
    ContainerUnusedItemInTable "CONTAINER.UNUSEDITEMINTABLE" Error 0 at "psv",
        "each item of a table is used";
    ContainerDigest "CONTAINER.DIGEST" Error 0 at "parts",
        "the digest in the header is that of the content";
    ContainerShaderHash "CONTAINER.SHADERHASH" Warning 0 at "parts",
        "the HASH part is the MD5 sum of the bitcode";
    // META.
    MetaRequired "META.REQUIRED" Error 0 at "metadata",
        "required metadata is there";
    MetaComputeWithNode "META.COMPUTEWITHNODE" Error 8 at "stages",
        "a compute shader is no node as well";
    MetaKnown "META.KNOWN" Error 0 at "metadata",
        "named metadata has a known name";
    MetaUsed "META.USED" Error 0 at "attachments",
        "metadata on functions and instructions is of a known kind";
    MetaTarget "META.TARGET" Error 0 at "metadata",
        "the target triple is dxil-ms-dx";
    MetaWellFormed "META.WELLFORMED" Error 0 at "metadata",
        "metadata has the operands that its kind asks for";
    MetaVersionSupported "META.VERSIONSUPPORTED" Error 0 at "metadata",
        "the DXIL and validator versions are supported";
    MetaSemanticLen "META.SEMANTICLEN" Error 0 at "signatures",
        "a semantic name has 1 to 64 bytes";
    MetaInterpModeValid "META.INTERPMODEVALID" Error 0 at "metadata",
        "an interpolation mode is a known one";
    MetaSemaKindValid "META.SEMAKINDVALID" Error 0 at "metadata",
        "a semantic kind is a known one";
    MetaNoSemanticOverlap "META.NOSEMANTICOVERLAP" Error 0 at "signatures",
        "a semantic name with an index occurs once in a signature";
    MetaSemaKindMatchesName "META.SEMAKINDMATCHESNAME" Error 0 at "signatures",
        "a system value has the name of its kind";
    MetaDuplicateSysValue "META.DUPLICATESYSVALUE" Error 0 at "signatures",
        "a system value occurs once in a signature";
    MetaSemanticIndexMax "META.SEMANTICINDEXMAX" Error 0 at "signatures",
        "the index of a system value is within its range";
    MetaSystemValueRows "META.SYSTEMVALUEROWS" Error 0 at "signatures",
        "a system value has one row";
    MetaSemanticShouldBeAllocated "META.SEMANTICSHOULDBEALLOCATED" Error 0 at "signatures",
        "an element that is packed has a register";
    MetaSemanticShouldNotBeAllocated "META.SEMANTICSHOULDNOTBEALLOCATED" Error 0 at "signatures",
        "an element that is not packed has no register";
    MetaValueRange "META.VALUERANGE" Error 0 at "attachments",
        "a number in metadata is within its range";
    MetaFlagsUsage "META.FLAGSUSAGE" Error 0 at "features",
        "the shader flags are what the code uses";
    MetaDenseResIDs "META.DENSERESIDS" Error 0 at "resources",
        "resource ids count from 0 without gaps";
    MetaSignatureOverlap "META.SIGNATUREOVERLAP" Error 0 at "packing",
        "elements of a signature do not share components";
    MetaSignatureOutOfRange "META.SIGNATUREOUTOFRANGE" Error 0 at "packing",
        "an element lies within the registers of a signature";
    MetaSignatureIndexConflict "META.SIGNATUREINDEXCONFLICT" Error 0 at "packing",
        "elements that are indexed share registers with their like only";
    MetaSignatureIllegalComponentOrder "META.SIGNATUREILLEGALCOMPONENTORDER" Error 0 at "packing",
        "plain elements come before system values in a register, generated values last";
    MetaSignatureDataWidth "META.SIGNATUREDATAWIDTH" Error 2 at "packing",
        "elements of one register have components of one width";
    MetaIntegerInterpMode "META.INTEGERINTERPMODE" Error 0 at "signatures",
        "an integer is not interpolated";
    MetaInterpModeInOneRow "META.INTERPMODEINONEROW" Error 0 at "packing",
        "elements of one register have one interpolation mode";
    MetaSemanticCompType "META.SEMANTICCOMPTYPE" Error 0 at "signatures",
        "a system value has the type that it must have";
    MetaClipCullMaxRows "META.CLIPCULLMAXROWS" Error 0 at "signatures",
        "clip and cull distances take two registers at most";
    MetaClipCullMaxComponents "META.CLIPCULLMAXCOMPONENTS" Error 0 at "signatures",
        "clip and cull distances have eight components at most";
    MetaSignatureCompType "META.SIGNATURECOMPTYPE" Error 0 at "signatures",
        "the component type of an element is one that signatures have";
    MetaTessellatorPartition "META.TESSELLATORPARTITION" Error 0 at "tessellation",
        "the tessellator partitioning is a known one";
    MetaTessellatorOutputPrimitive "META.TESSELLATOROUTPUTPRIMITIVE" Error 0 at "tessellation",
        "the output primitive of the tessellator is a known one";
    MetaMaxTessFactor "META.MAXTESSFACTOR" Error 0 at "tessellation",
        "the largest tessellation factor is 1 to 64";
    MetaValidSamplerMode "META.VALIDSAMPLERMODE" Error 0 at "resources",
        "the kind of a sampler is a known one";
    MetaCoherenceNotOnAppendConsume "META.COHERENCENOTONAPPENDCONSUME" Error 0 at "resources",
        "a buffer with a counter is not coherent";
    MetaStructBufAlignment "META.STRUCTBUFALIGNMENT" Error 0 at "resources",
        "with min-precision types the stride of a structured buffer is a multiple of 4";
    MetaStructBufAlignmentOutOfBound "META.STRUCTBUFALIGNMENTOUTOFBOUND" Error 0 at "resources",
        "the stride of a structured buffer is at most 2048 bytes";
    MetaEntryFunction "META.ENTRYFUNCTION" Error 0 at "stages",
        "the entry point has a function with a body";
    MetaInvalidControlFlowHint "META.INVALIDCONTROLFLOWHINT" Error 0 at "attachments",
        "a control flow hint is a known one";
    MetaBranchFlatten "META.BRANCHFLATTEN" Error 0 at "attachments",
        "a branch is not marked with branch and flatten";
    MetaForceCaseOnSwitch "META.FORCECASEONSWITCH" Error 0 at "attachments",
        "the hint forcecase stands on a switch";
    MetaControlFlowHintNotOnControlFlow "META.CONTROLFLOWHINTNOTONCONTROLFLOW" Error 0 at "attachments",
        "a control flow hint stands on a terminator";
    MetaTextureType "META.TEXTURETYPE" Error 0 at "resources",
        "an element of a texture or typed buffer has 16 bytes at most";
    MetaBarycentricsInterpolation "META.BARYCENTRICSINTERPOLATION" Error 1 at "signatures",
        "barycentrics are interpolated";
    MetaBarycentricsFloat3 "META.BARYCENTRICSFLOAT3" Error 1 at "signatures",
        "barycentrics are a float3";
    MetaBarycentricsTwoPerspectives "META.BARYCENTRICSTWOPERSPECTIVES" Error 1 at "signatures",
        "there are two barycentrics at most, and of two only one is with perspective";
    MetaNoEntryPropsForEntry "META.NOENTRYPROPSFORENTRY" Error 0 at "metadata",
        "the entry point has properties";
    // INSTR.
    InstrOload "INSTR.OLOAD" Error 0 at "operations",
        "an operation is called for a type that it is overloaded on";
    InstrCallOload "INSTR.CALLOLOAD" Error 0 at "module",
        "the function of an operation has the type of its class and overload";
    InstrPtrBitCast "INSTR.PTRBITCAST" Error 0 at "instructions",
        "a cast of a pointer keeps the size of what it points to";
    InstrMinPrecisonBitCast "INSTR.MINPRECISONBITCAST" Error 0 at "instructions",
        "a min-precision value is not reinterpreted";
    InstrStructBitCast "INSTR.STRUCTBITCAST" Error 0 at "instructions",
        "a structure is not reinterpreted";
    InstrStatus "INSTR.STATUS" Error 0 not NEVER_REPORTED,
        "the status of an access goes to CheckAccessFullyMapped only";
    InstrCheckAccessFullyMapped "INSTR.CHECKACCESSFULLYMAPPED" Error 0 at "resource_operations/status",
        "CheckAccessFullyMapped takes the status of an access";
    InstrOpConst "INSTR.OPCONST" Error 0 at "operations",
        "an operand that must be an immediate is a constant";
    InstrAllowed "INSTR.ALLOWED" Error 0 at "instructions",
        "an instruction is one that DXIL has";
    InstrOpCodeReserved "INSTR.OPCODERESERVED" Error 0 at "operations",
        "an opcode is not a reserved one";
    InstrOperandRange "INSTR.OPERANDRANGE" Error 0 at "signature_operations",
        "a constant operand is within its range";
    InstrNoReadingUninitialized "INSTR.NOREADINGUNINITIALIZED" Error 0 at "instructions",
        "an instruction does not read an undefined value";
    InstrNoGenericPtrAddrSpaceCast "INSTR.NOGENERICPTRADDRSPACECAST" Error 0 at "instructions",
        "one side of an address space cast is the generic space";
    InstrInBoundsAccess "INSTR.INBOUNDSACCESS" Error 0 at "instructions",
        "constant address arithmetic stays within the variable";
    InstrOpConstRange "INSTR.OPCONSTRANGE" Error 0 at "signature_operations",
        "a constant names something that is there";
    InstrImmBiasForSampleB "INSTR.IMMBIASFORSAMPLEB" Error 0 at "resource_operations/sampling",
        "a constant bias is -16 to 15.99";
    InstrIllegalDXILOpCode "INSTR.ILLEGALDXILOPCODE" Error 0 at "operations",
        "an opcode is a known one";
    InstrExpDXILOpCodeRequiresExpSM "INSTR.EXPDXILOPCODEREQUIRESEXPSM" Error 9 at "operations",
        "an experimental opcode stands in an experimental shader model";
    InstrIllegalDXILOpFunction "INSTR.ILLEGALDXILOPFUNCTION" Error 0 at "operations",
        "the called function is one of the operation's class";
    InstrNoIndefiniteLog "INSTR.NOINDEFINITELOG" Error 0 at "operations",
        "the logarithm of infinity is not taken";
    InstrNoIndefiniteAsin "INSTR.NOINDEFINITEASIN" Error 0 at "operations",
        "the arcsine of infinity is not taken";
    InstrNoIndefiniteAcos "INSTR.NOINDEFINITEACOS" Error 0 at "operations",
        "the arccosine of infinity is not taken";
    InstrNoIDivByZero "INSTR.NOIDIVBYZERO" Error 0 at "instructions",
        "a signed integer is not divided by the constant 0";
    InstrNoUDivByZero "INSTR.NOUDIVBYZERO" Error 0 at "instructions",
        "an unsigned integer is not divided by the constant 0";
    InstrNoIndefiniteDsxy "INSTR.NOINDEFINITEDSXY" Error 0 at "operations",
        "the derivative of infinity is not taken";
    InstrMinPrecisionNotPrecise "INSTR.MINPRECISIONNOTPRECISE" Error 0 at "attachments",
        "a precise instruction has no min-precision operand";
    InstrOnlyOneAllocConsume "INSTR.ONLYONEALLOCCONSUME" Error 0 at "resource_operations/counters",
        "a counter is only incremented or only decremented";
    InstrTextureOffset "INSTR.TEXTUREOFFSET" Error 0 at "resource_operations/coordinates",
        "before shader model 6.7 an offset is a constant from -8 to 7";
    InstrCannotPullPosition "INSTR.CANNOTPULLPOSITION" Error 0 at "signature_operations",
        "the position is not evaluated at another place";
    InstrErrGuaranteedRaceConditionUav "INSTR.ERR_GUARANTEED_RACE_CONDITION_UAV" Error 0 not NEVER_REPORTED,
        "threads do not race for a UAV";
    InstrErrGuaranteedRaceConditionGsm "INSTR.ERR_GUARANTEED_RACE_CONDITION_GSM" Error 0 not NEVER_REPORTED,
        "threads do not race for groupshared memory";
    InstrErrInfiniteLoop "INSTR.ERR_INFINITE_LOOP" Error 0 not NEVER_REPORTED,
        "a loop ends";
    InstrEvalInterpolationMode "INSTR.EVALINTERPOLATIONMODE" Error 0 at "signature_operations",
        "an input that is evaluated at another place is interpolated";
    InstrResourceCoordinateMiss "INSTR.RESOURCECOORDINATEMISS" Error 0 at "resource_operations/coordinates",
        "each coordinate that the resource has is given";
    InstrResourceCoordinateTooMany "INSTR.RESOURCECOORDINATETOOMANY" Error 0 at "resource_operations/coordinates",
        "a coordinate that the resource does not have is undef";
    InstrResourceOffsetMiss "INSTR.RESOURCEOFFSETMISS" Error 0 at "resource_operations/coordinates",
        "each offset that the resource has is given, or none";
    InstrResourceOffsetTooMany "INSTR.RESOURCEOFFSETTOOMANY" Error 0 at "resource_operations/coordinates",
        "an offset that the resource does not have is undef";
    InstrUndefResultForGetDimension "INSTR.UNDEFRESULTFORGETDIMENSION" Error 0 at "resource_operations/dimensions",
        "only dimensions that the resource has are used";
    InstrSamplerModeForLOD "INSTR.SAMPLERMODEFORLOD" Error 0 at "resource_operations/sampling",
        "CalculateLOD has a plain sampler, from shader model 6.8 on a comparison sampler as well";
    InstrSamplerModeForSample "INSTR.SAMPLERMODEFORSAMPLE" Error 0 at "resource_operations/sampling",
        "sampling without comparison has a plain sampler";
    InstrSamplerModeForSampleC "INSTR.SAMPLERMODEFORSAMPLEC" Error 0 at "resource_operations/sampling",
        "sampling with comparison has a comparison sampler";
    InstrSampleCompType "INSTR.SAMPLECOMPTYPE" Error 0 at "resource_operations/sampling",
        "what is sampled has components that can be filtered";
    InstrBarrierModeUselessUGroup "INSTR.BARRIERMODEUSELESSUGROUP" Error 0 at "operations",
        "a barrier does not name the group for UAVs beside the device";
    InstrBarrierModeNoMemory "INSTR.BARRIERMODENOMEMORY" Error 0 at "operations",
        "a barrier names some memory";
    InstrBarrierModeForNonCS "INSTR.BARRIERMODEFORNONCS" Error 0 at "operations",
        "without thread groups a barrier is about UAVs on the device";
    InstrBarrierFlagInvalid "INSTR.BARRIERFLAGINVALID" Error 8 at "operations",
        "the flags of a barrier are known ones";
    InstrBarrierNonConstantFlagArgument "INSTR.BARRIERNONCONSTANTFLAGARGUMENT" Error 8 at "operations",
        "the flags of a barrier are constants";
    InstrBarrierRequiresNode "INSTR.BARRIERREQUIRESNODE" Error 8 at "operations",
        "only a node has a barrier for node records";
    InstrWriteMaskForTypedUAVStore "INSTR.WRITEMASKFORTYPEDUAVSTORE" Error 0 at "resource_operations/stores",
        "a store to a typed UAV writes all components";
    InstrWriteMaskGapForUAV "INSTR.WRITEMASKGAPFORUAV" Error 0 at "resource_operations/stores",
        "a write mask has no gap and begins with x";
    InstrResourceKindForCalcLOD "INSTR.RESOURCEKINDFORCALCLOD" Error 0 at "resource_operations/sampling",
        "CalculateLOD has a texture with mips";
    InstrResourceKindForSample "INSTR.RESOURCEKINDFORSAMPLE" Error 0 at "resource_operations/sampling",
        "sampling has a texture with mips";
    InstrResourceKindForSampleC "INSTR.RESOURCEKINDFORSAMPLEC" Error 0 at "resource_operations/sampling",
        "sampling with comparison has a texture with mips that is not 3D";
    InstrResourceKindForGather "INSTR.RESOURCEKINDFORGATHER" Error 0 at "resource_operations/sampling",
        "gathering has a 2D or cube texture";
    InstrWriteMaskMatchValueForUAVStore "INSTR.WRITEMASKMATCHVALUEFORUAVSTORE" Error 0 at "resource_operations/stores",
        "a component that is not written is undef";
    InstrUndefinedValueForUAVStore "INSTR.UNDEFINEDVALUEFORUAVSTORE" Error 0 at "resource_operations/stores",
        "a component that is written is defined";
    InstrResourceKindForBufferLoadStore "INSTR.RESOURCEKINDFORBUFFERLOADSTORE" Error 0 at "resource_operations/buffers",
        "buffer loads and stores have a buffer";
    InstrResourceKindForTextureStore "INSTR.RESOURCEKINDFORTEXTURESTORE" Error 0 at "resource_operations/textures",
        "texture stores have a texture";
    InstrResourceKindForGetDim "INSTR.RESOURCEKINDFORGETDIM" Error 0 at "resource_operations/dimensions",
        "GetDimensions has a texture or buffer";
    InstrResourceKindForTextureLoad "INSTR.RESOURCEKINDFORTEXTURELOAD" Error 0 at "resource_operations/textures",
        "texture loads have a texture that is no cube";
    InstrResourceClassForSamplerGather "INSTR.RESOURCECLASSFORSAMPLERGATHER" Error 0 at "resource_operations/sampling",
        "sampling and gathering have an SRV";
    InstrResourceClassForUAVStore "INSTR.RESOURCECLASSFORUAVSTORE" Error 0 at "resource_operations/stores",
        "stores have a UAV";
    InstrResourceClassForLoad "INSTR.RESOURCECLASSFORLOAD" Error 0 at "resource_operations/textures",
        "loads have an SRV or a UAV";
    InstrResourceMapToSingleEntry "INSTR.RESOURCEMAPTOSINGLEENTRY" Error 0 at "resource_variables",
        "a resource variable is that of one resource";
    InstrResourceUser "INSTR.RESOURCEUSER" Error 0 at "resource_variables",
        "a resource variable is only loaded, indexed or passed";
    InstrResourceKindForTraceRay "INSTR.RESOURCEKINDFORTRACERAY" Error 3 at "resource_operations/mod",
        "a ray is traced through an acceleration structure";
    InstrOffsetOnUAVLoad "INSTR.OFFSETONUAVLOAD" Error 0 at "resource_operations/textures",
        "a load from a UAV has no offset";
    InstrMipOnUAVLoad "INSTR.MIPONUAVLOAD" Error 0 at "resource_operations/textures",
        "a load from a UAV has no mip level";
    InstrSampleIndexForLoad2DMS "INSTR.SAMPLEINDEXFORLOAD2DMS" Error 0 at "resource_operations/textures",
        "a load from a multisampled texture names the sample";
    InstrCoordinateCountForRawTypedBuf "INSTR.COORDINATECOUNTFORRAWTYPEDBUF" Error 0 at "resource_operations/buffers",
        "a raw or typed buffer has one coordinate";
    InstrConstAlignForRawBuf "INSTR.CONSTALIGNFORRAWBUF" Error 2 at "operations",
        "the alignment of an access to a raw buffer is a constant";
    InstrCoordinateCountForStructBuf "INSTR.COORDINATECOUNTFORSTRUCTBUF" Error 0 at "resource_operations/buffers",
        "a structured buffer has two coordinates";
    InstrMipLevelForGetDimension "INSTR.MIPLEVELFORGETDIMENSION" Error 0 at "resource_operations/dimensions",
        "GetDimensions of a buffer has no mip level";
    InstrDxilStructUser "INSTR.DXILSTRUCTUSER" Error 0 at "types",
        "a structure that an operation gives is only taken apart";
    InstrDxilStructUserOutOfBound "INSTR.DXILSTRUCTUSEROUTOFBOUND" Error 0 not DECODING,
        "an index into a structure that an operation gives is within it";
    InstrHandleNotFromCreateHandle "INSTR.HANDLENOTFROMCREATEHANDLE" Error 0 at "resource_operations/call",
        "a handle comes from an operation that creates one";
    InstrBufferUpdateCounterOnUAV "INSTR.BUFFERUPDATECOUNTERONUAV" Error 0 at "resource_operations/counters",
        "a counter is that of a UAV";
    InstrBufferUpdateCounterOnResHasCounter "INSTR.BUFFERUPDATECOUNTERONRESHASCOUNTER" Error 0 at "resource_operations/counters",
        "a counter is that of a resource that has one";
    InstrCBufferOutOfBound "INSTR.CBUFFEROUTOFBOUND" Error 0 at "resource_operations/buffers",
        "a constant offset lies within the constant buffer";
    InstrCBufferClassForCBufferHandle "INSTR.CBUFFERCLASSFORCBUFFERHANDLE" Error 0 at "resource_operations/buffers",
        "a constant buffer load has a constant buffer";
    InstrFailToResloveTGSMPointer "INSTR.FAILTORESLOVETGSMPOINTER" Error 0 at "instructions",
        "a pointer into groupshared memory comes from one variable";
    InstrExtractValue "INSTR.EXTRACTVALUE" Error 0 at "instructions",
        "only structures of operations and compare-exchanges are taken apart";
    InstrTGSMRaceCond "INSTR.TGSMRACECOND" Error 0 not NEVER_REPORTED,
        "threads do not write different values to one place of groupshared memory";
    InstrAttributeAtVertexNoInterpolation "INSTR.ATTRIBUTEATVERTEXNOINTERPOLATION" Error 1 at "signature_operations",
        "an attribute that is read per vertex is not interpolated";
    InstrCreateHandleImmRangeID "INSTR.CREATEHANDLEIMMRANGEID" Error 0 at "resource_operations/creation",
        "a handle is of a declared resource, named by a constant";
    InstrSignatureOperationNotInEntry "INSTR.SIGNATUREOPERATIONNOTINENTRY" Error 0 at "signature_operations",
        "signatures are accessed in entry points";
    InstrMultipleSetMeshOutputCounts "INSTR.MULTIPLESETMESHOUTPUTCOUNTS" Error 5 at "mesh",
        "a mesh shader sets its output counts once";
    InstrMissingSetMeshOutputCounts "INSTR.MISSINGSETMESHOUTPUTCOUNTS" Error 5 at "mesh",
        "a mesh shader with outputs sets its output counts";
    InstrNonDominatingSetMeshOutputCounts "INSTR.NONDOMINATINGSETMESHOUTPUTCOUNTS" Error 5 at "mesh",
        "output counts are set on every way to an output";
    InstrMultipleGetMeshPayload "INSTR.MULTIPLEGETMESHPAYLOAD" Error 5 at "mesh",
        "a mesh shader asks for its payload once";
    InstrNotOnceDispatchMesh "INSTR.NOTONCEDISPATCHMESH" Error 5 at "mesh",
        "an amplification shader dispatches once";
    InstrNonDominatingDispatchMesh "INSTR.NONDOMINATINGDISPATCHMESH" Error 5 at "mesh",
        "an amplification shader dispatches on every way";
    InstrAtomicOpNonGroupsharedOrRecord "INSTR.ATOMICOPNONGROUPSHAREDORRECORD" Error 0 at "instructions",
        "an atomic instruction works on groupshared memory or a node record";
    InstrAtomicIntrinNonUAV "INSTR.ATOMICINTRINNONUAV" Error 0 at "resource_operations/atomics",
        "an atomic operation works on a UAV";
    InstrSVConflictingLaunchMode "INSTR.SVCONFLICTINGLAUNCHMODE" Error 8 at "operations",
        "a node reads the thread ids that its launch mode has";
    InstrAtomicConst "INSTR.ATOMICCONST" Error 0 at "instructions",
        "an atomic instruction does not write a constant";
    InstrNodeRecordHandleUseAfterComplete "INSTR.NODERECORDHANDLEUSEAFTERCOMPLETE" Error 8 at "flow",
        "a record is not used after OutputComplete";
    InstrUndefHitObject "INSTR.UNDEFHITOBJECT" Error 9 at "operations",
        "a hit object is defined";
    InstrParamMultiple "INSTR.PARAMMULTIPLE" Error 9 at "operations",
        "an operand is a multiple of what the operation asks for";
    InstrParamMinimumValue "INSTR.PARAMMINIMUMVALUE" Error 10 at "matrices",
        "an operand is not below its minimum";
    InstrMayReorderThreadUndefCoherenceHintParam "INSTR.MAYREORDERTHREADUNDEFCOHERENCEHINTPARAM" Error 9 at "operations",
        "a coherence hint is defined";
    InstrReorderCoherentRequiresSM69 "INSTR.REORDERCOHERENTREQUIRESSM69" Error 0 at "resources",
        "reordercoherent needs shader model 6.9";
    InstrLinAlgMetadataMissing "INSTR.LINALGMETADATAMISSING" Error 10 at "matrices",
        "a matrix type has metadata";
    InstrLinAlgIllegalKDim "INSTR.LINALGILLEGALKDIM" Error 10 at "matrices",
        "the K dimension is within its range";
    InstrLinAlgIllegalComponentType "INSTR.LINALGILLEGALCOMPONENTTYPE" Error 10 at "matrices",
        "the component type is one that matrices have";
    InstrLinAlgMatrixScopeMismatch "INSTR.LINALGMATRIXSCOPEMISMATCH" Error 10 at "matrices",
        "a matrix has the scope that the operation asks for";
    InstrLinAlgMatrixScopeMismatch2 "INSTR.LINALGMATRIXSCOPEMISMATCH2" Error 10 at "matrices",
        "a matrix has one of two scopes";
    InstrLinAlgMatrixUseMismatch "INSTR.LINALGMATRIXUSEMISMATCH" Error 10 at "matrices",
        "a matrix has the use that the operation asks for";
    InstrLinAlgMatrixUseMismatch2 "INSTR.LINALGMATRIXUSEMISMATCH2" Error 10 at "matrices",
        "a matrix has one of two uses";
    InstrLinAlgMatrixNotExactMatch "INSTR.LINALGMATRIXNOTEXACTMATCH" Error 10 at "matrices",
        "two matrices are of one type";
    InstrLinAlgMatrixScopeReqLayout2 "INSTR.LINALGMATRIXSCOPEREQLAYOUT2" Error 10 at "matrices",
        "the layout is one that the scope has";
    InstrLinAlgMatrixLayoutReqStride "INSTR.LINALGMATRIXLAYOUTREQSTRIDE" Error 10 at "matrices",
        "the stride is one that the layout has";
    InstrLinAlgMatrixDimVectorMismatch "INSTR.LINALGMATRIXDIMVECTORMISMATCH" Error 10 at "matrices",
        "a vector has the size of the matrix";
    InstrLinAlgMatrixDimKVecKMismatch "INSTR.LINALGMATRIXDIMKVECKMISMATCH" Error 10 at "matrices",
        "an input vector has the K dimension of the matrix";
    InstrLinAlgMatrixOutputBiasVecMismatch "INSTR.LINALGMATRIXOUTPUTBIASVECMISMATCH" Error 10 at "matrices",
        "output and bias are of one type";
    InstrLinAlgMatrixUnsignedFloatTypeNotAllowed "INSTR.LINALGMATRIXUNSIGNEDFLOATTYPENOTALLOWED" Error 10 at "matrices",
        "floats are not called unsigned";
    InstrLinAlgMatrixLoadThreadRequiresBAB "INSTR.LINALGMATRIXLOADTHREADREQUIRESBAB" Error 10 at "matrices",
        "a matrix of a thread is loaded from a raw buffer";
    InstrLinAlgMatrixRequiresRWBAB "INSTR.LINALGMATRIXREQUIRESRWBAB" Error 10 at "matrices",
        "a matrix is stored to a writable raw buffer";
    InstrLinAlgMatrixRequiresLayout2 "INSTR.LINALGMATRIXREQUIRESLAYOUT2" Error 10 at "matrices",
        "the layout is one of two";
    InstrLinAlgMatrix2PartsMustMatch "INSTR.LINALGMATRIX2PARTSMUSTMATCH" Error 10 at "matrices",
        "two matrices agree";
    InstrLinAlgMatrixScopeMustMatch3 "INSTR.LINALGMATRIXSCOPEMUSTMATCH3" Error 10 at "matrices",
        "three matrices have one scope";
    InstrLinAlgMatrixScopeMustMatch4 "INSTR.LINALGMATRIXSCOPEMUSTMATCH4" Error 10 at "matrices",
        "four matrices have one scope";
    InstrLinAlgMatrixMatrixKDimMustMatch "INSTR.LINALGMATRIXMATRIXKDIMMUSTMATCH" Error 10 at "matrices",
        "the inner dimensions of a product agree";
    InstrLinAlgMatrixMatrixResDimMustMatch "INSTR.LINALGMATRIXMATRIXRESDIMMUSTMATCH" Error 10 at "matrices",
        "the outer dimensions of a product agree";
    // TYPES.
    TypesNoVector "TYPES.NOVECTOR" Error 0 at "types",
        "before shader model 6.9 no value is a vector";
    TypesDefined "TYPES.DEFINED" Error 0 at "types",
        "a type is made of DXIL's scalars";
    TypesIntWidth "TYPES.INTWIDTH" Error 0 at "types",
        "an integer has 1, 8, 16, 32 or 64 bits";
    TypesNoMultiDim "TYPES.NOMULTIDIM" Error 0 at "types",
        "an array has one dimension";
    TypesNoPtrToPtr "TYPES.NOPTRTOPTR" Error 0 at "types",
        "nothing points to a pointer or to a structure with pointers";
    TypesI8 "TYPES.I8" Error 0 at "instructions",
        "i8 is the type of immediates only";
    // SM.
    SmName "SM.NAME" Error 0 at "metadata",
        "the shader model is a known one";
    SmDxilVersion "SM.DXILVERSION" Error 0 at "metadata",
        "the DXIL version is that of the shader model";
    SmProgramVersion "SM.PROGRAMVERSION" Error 0 at "parts",
        "the program header has the module's shader model";
    SmOpcode "SM.OPCODE" Error 0 at "operations",
        "an operation is one of the shader model and of the stage";
    SmOperand "SM.OPERAND" Error 0 at "signature_operations",
        "only stages with vertices in arrays name the vertex of an input";
    SmSemantic "SM.SEMANTIC" Error 0 at "signatures",
        "a system value is one that the stage and the shader model have";
    SmNoInterpMode "SM.NOINTERPMODE" Error 0 at "signatures",
        "vertex inputs, pixel outputs and patch constants have no interpolation mode";
    SmConstantInterpMode "SM.CONSTANTINTERPMODE" Error 5 at "signatures",
        "primitive outputs of a mesh shader are constant";
    SmNoPSOutputIdx "SM.NOPSOUTPUTIDX" Error 0 at "signatures",
        "outputs of a pixel shader are not arrays";
    SmPSConsistentInterp "SM.PSCONSISTENTINTERP" Error 0 at "signatures",
        "with conservative depth the position is interpolated at the centroid or per sample";
    SmThreadGroupChannelRange "SM.THREADGROUPCHANNELRANGE" Error 0 at "stages",
        "each dimension of a thread group is within its range";
    SmMaxTheadGroup "SM.MAXTHEADGROUP" Error 0 at "stages",
        "a thread group has at most 1024 threads, for mesh and amplification shaders 128";
    SmMaxTGSMSizeOnEntry "SM.MAXTGSMSIZEONENTRY" Error 0 at "globals",
        "groupshared memory is at most 32 KiB, for mesh shaders 28 KiB";
    SmExplicitTGSMSizeOnEntry "SM.EXPLICITTGSMSIZEONENTRY" Error 10 at "globals",
        "groupshared memory is within the declared limit";
    SmTGSMUnsupported "SM.TGSMUNSUPPORTED" Error 0 at "globals",
        "only stages with thread groups use groupshared memory";
    SmWaveSizeValue "SM.WAVESIZEVALUE" Error 6 at "stages",
        "a wave size is a power of two from 4 to 128";
    SmWaveSizeAllZeroWhenUndefined "SM.WAVESIZEALLZEROWHENUNDEFINED" Error 8 at "stages",
        "without a least wave size there is no other";
    SmWaveSizeMaxAndPreferredZeroWhenNoRange "SM.WAVESIZEMAXANDPREFERREDZEROWHENNORANGE" Error 8 at "stages",
        "a single wave size has no preferred one";
    SmWaveSizeMaxGreaterThanMin "SM.WAVESIZEMAXGREATERTHANMIN" Error 8 at "stages",
        "the largest wave size is above the least";
    SmWaveSizePreferredInRange "SM.WAVESIZEPREFERREDINRANGE" Error 8 at "stages",
        "the preferred wave size is within the range";
    SmWaveSizeOnComputeOrNode "SM.WAVESIZEONCOMPUTEORNODE" Error 6 at "stages",
        "only compute shaders and nodes have a wave size";
    SmWaveSizeNeedsSM66or67 "SM.WAVESIZENEEDSSM66OR67" Error 6 at "metadata",
        "a single wave size is written for shader models 6.6 and 6.7";
    SmWaveSizeRangeNeedsSM68Plus "SM.WAVESIZERANGENEEDSSM68PLUS" Error 8 at "metadata",
        "a range of wave sizes needs shader model 6.8";
    SmWaveSizeRangeExpectsThreeParams "SM.WAVESIZERANGEEXPECTSTHREEPARAMS" Error 8 at "metadata",
        "a range of wave sizes has three numbers";
    SmWaveSizeExpectsOneParam "SM.WAVESIZEEXPECTSONEPARAM" Error 6 at "metadata",
        "a single wave size has one number";
    SmWaveSizeTagDuplicate "SM.WAVESIZETAGDUPLICATE" Error 6 at "metadata",
        "an entry point has one wave size";
    SmWaveSizeNeedsConstantOperands "SM.WAVESIZENEEDSCONSTANTOPERANDS" Error 6 at "metadata",
        "a wave size is a constant";
    SmROVOnlyInPS "SM.ROVONLYINPS" Error 0 at "resources",
        "only pixel shaders have rasterizer-ordered views";
    SmTessFactorForDomain "SM.TESSFACTORFORDOMAIN" Error 0 at "tessellation",
        "a hull shader has the tessellation factors of its domain";
    SmTessFactorSizeMatchDomain "SM.TESSFACTORSIZEMATCHDOMAIN" Error 0 at "tessellation",
        "there are as many edge factors as the domain has edges";
    SmInsideTessFactorSizeMatchDomain "SM.INSIDETESSFACTORSIZEMATCHDOMAIN" Error 0 at "tessellation",
        "there are as many inside factors as the domain has";
    SmDomainLocationIdxOOB "SM.DOMAINLOCATIONIDXOOB" Error 0 at "signature_operations",
        "a component of the domain location is one that the domain has";
    SmHullPassThruControlPointCountMatch "SM.HULLPASSTHRUCONTROLPOINTCOUNTMATCH" Error 0 at "tessellation",
        "a hull shader that passes control points through has enough of them";
    SmOutputControlPointsTotalScalars "SM.OUTPUTCONTROLPOINTSTOTALSCALARS" Error 0 at "tessellation",
        "all output control points have 3968 scalars at most";
    SmIsoLineOutputPrimitiveMismatch "SM.ISOLINEOUTPUTPRIMITIVEMISMATCH" Error 0 at "tessellation",
        "isolines are put out as points or lines";
    SmTriOutputPrimitiveMismatch "SM.TRIOUTPUTPRIMITIVEMISMATCH" Error 0 at "tessellation",
        "triangles and quads are put out as points or triangles";
    SmValidDomain "SM.VALIDDOMAIN" Error 0 at "tessellation",
        "the domain of a patch is a known one";
    SmPatchConstantOnlyForHSDS "SM.PATCHCONSTANTONLYFORHSDS" Error 0 at "signatures",
        "only hull, domain and mesh shaders have a third signature";
    SmStreamIndexRange "SM.STREAMINDEXRANGE" Error 0 at "signatures",
        "a stream is 0 to 3 for outputs of geometry shaders, 0 elsewhere";
    SmPSOutputSemantic "SM.PSOUTPUTSEMANTIC" Error 0 at "signatures",
        "an output of a pixel shader is a target, depth, coverage or stencil reference";
    SmPSMultipleDepthSemantic "SM.PSMULTIPLEDEPTHSEMANTIC" Error 0 at "signatures",
        "a pixel shader has one depth output";
    SmPSTargetIndexMatchesRow "SM.PSTARGETINDEXMATCHESROW" Error 0 at "signatures",
        "the register of a target is its index";
    SmPSTargetCol0 "SM.PSTARGETCOL0" Error 0 at "signatures",
        "a target begins at the first component";
    SmPSCoverageAndInnerCoverage "SM.PSCOVERAGEANDINNERCOVERAGE" Error 0 at "signature_operations",
        "a pixel shader reads coverage or inner coverage";
    SmGSOutputVertexCountRange "SM.GSOUTPUTVERTEXCOUNTRANGE" Error 0 at "stages",
        "a geometry shader puts out at most 1024 vertices";
    SmGSInstanceCountRange "SM.GSINSTANCECOUNTRANGE" Error 0 at "stages",
        "a geometry shader has 1 to 32 instances";
    SmDSInputControlPointCountRange "SM.DSINPUTCONTROLPOINTCOUNTRANGE" Error 0 at "tessellation",
        "a domain shader has at most 32 control points";
    SmHSInputControlPointCountRange "SM.HSINPUTCONTROLPOINTCOUNTRANGE" Error 0 at "tessellation",
        "a hull shader has at most 32 input control points";
    SmZeroHSInputControlPointWithInput "SM.ZEROHSINPUTCONTROLPOINTWITHINPUT" Error 0 at "tessellation",
        "without control points a hull shader has no inputs";
    SmOutputControlPointCountRange "SM.OUTPUTCONTROLPOINTCOUNTRANGE" Error 0 at "tessellation",
        "a hull shader has 1 to 32 output control points";
    SmGSValidInputPrimitive "SM.GSVALIDINPUTPRIMITIVE" Error 0 at "stages",
        "the input primitive of a geometry shader is a known one";
    SmGSValidOutputPrimitiveTopology "SM.GSVALIDOUTPUTPRIMITIVETOPOLOGY" Error 0 at "stages",
        "a geometry shader puts out points, line strips or triangle strips";
    SmAppendAndConsumeOnSameUAV "SM.APPENDANDCONSUMEONSAMEUAV" Error 0 not "about shader models before 5.1, which DXIL does not have",
        "a counter is only incremented or only decremented";
    SmInvalidTextureKindOnUAV "SM.INVALIDTEXTUREKINDONUAV" Error 0 at "resources",
        "a UAV is no cube";
    SmInvalidResourceKind "SM.INVALIDRESOURCEKIND" Error 0 at "resources",
        "the kind of a resource is a known one";
    SmInvalidResourceCompType "SM.INVALIDRESOURCECOMPTYPE" Error 0 at "resources",
        "the component type of a resource is one that resources have";
    SmInvalidSamplerFeedbackType "SM.INVALIDSAMPLERFEEDBACKTYPE" Error 5 at "resources",
        "the kind of a feedback texture is a known one";
    SmSampleCountOnlyOn2DMS "SM.SAMPLECOUNTONLYON2DMS" Error 0 at "resources",
        "only multisampled textures have a sample count";
    SmCounterOnlyOnStructBuf "SM.COUNTERONLYONSTRUCTBUF" Error 0 at "resources",
        "only structured buffers have a counter";
    SmGSTotalOutputVertexDataRange "SM.GSTOTALOUTPUTVERTEXDATARANGE" Error 0 at "stages",
        "all vertices of a geometry shader have 1024 scalars at most";
    SmMultiStreamMustBePoint "SM.MULTISTREAMMUSTBEPOINT" Error 0 at "signatures",
        "a geometry shader with several streams puts out points";
    SmCompletePosition "SM.COMPLETEPOSITION" Error 0 at "outputs",
        "all components of the position are written";
    SmUndefinedOutput "SM.UNDEFINEDOUTPUT" Error 0 at "outputs",
        "all components of a system value are written";
    SmCSNoSignatures "SM.CSNOSIGNATURES" Error 0 at "signatures",
        "a compute shader has no signatures";
    SmCBufferTemplateTypeMustBeStruct "SM.CBUFFERTEMPLATETYPEMUSTBESTRUCT" Error 0 at "constant_buffers",
        "a constant buffer is a structure";
    SmResourceRangeOverlap "SM.RESOURCERANGEOVERLAP" Error 0 at "resources",
        "registers of resources do not overlap";
    SmCBufferSize "SM.CBUFFERSIZE" Error 0 at "constant_buffers",
        "a constant buffer has 65536 bytes at most";
    SmCBufferOffsetOverlap "SM.CBUFFEROFFSETOVERLAP" Error 0 at "constant_buffers",
        "fields of a constant buffer do not overlap";
    SmCBufferElementOverflow "SM.CBUFFERELEMENTOVERFLOW" Error 0 at "constant_buffers",
        "fields lie within their constant buffer";
    SmCBufferArrayOffsetAlignment "SM.CBUFFERARRAYOFFSETALIGNMENT" Error 0 at "constant_buffers",
        "an array in a constant buffer begins at a multiple of 16 bytes";
    SmOpcodeInInvalidFunction "SM.OPCODEININVALIDFUNCTION" Error 0 at "signature_operations",
        "an operation stands in a function that may call it";
    SmViewIDNeedsSlot "SM.VIEWIDNEEDSSLOT" Error 1 at "packing",
        "the inputs of a pixel shader leave a place for the view id";
    Sm64bitRawBufferLoadStore "SM.64BITRAWBUFFERLOADSTORE" Error 2 at "resource_operations/buffers",
        "raw buffers give 64-bit values from shader model 6.3 on";
    SmRayShaderSignatures "SM.RAYSHADERSIGNATURES" Error 3 at "signatures",
        "a ray tracing shader has no signatures";
    SmRayShaderPayloadSize "SM.RAYSHADERPAYLOADSIZE" Error 3 at "stages",
        "payload and attributes fit their declared sizes";
    SmMeshShaderMaxVertexCount "SM.MESHSHADERMAXVERTEXCOUNT" Error 5 at "mesh",
        "a mesh shader has at most 256 vertices";
    SmMeshShaderMaxPrimitiveCount "SM.MESHSHADERMAXPRIMITIVECOUNT" Error 5 at "mesh",
        "a mesh shader has at most 256 primitives";
    SmMeshShaderPayloadSize "SM.MESHSHADERPAYLOADSIZE" Error 5 at "mesh",
        "the payload of a mesh shader has 16384 bytes at most";
    SmMeshShaderPayloadSizeDeclared "SM.MESHSHADERPAYLOADSIZEDECLARED" Error 5 at "mesh",
        "the payload of a mesh shader fits its declared size";
    SmMeshShaderOutputSize "SM.MESHSHADEROUTPUTSIZE" Error 5 at "mesh",
        "the outputs of a mesh shader have 32 KiB at most";
    SmMeshShaderInOutSize "SM.MESHSHADERINOUTSIZE" Error 5 at "mesh",
        "payload and outputs of a mesh shader have 47 KiB at most";
    SmMeshVSigRowCount "SM.MESHVSIGROWCOUNT" Error 5 at "mesh",
        "vertex outputs of a mesh shader take 32 registers at most";
    SmMeshPSigRowCount "SM.MESHPSIGROWCOUNT" Error 5 at "mesh",
        "primitive outputs of a mesh shader take 32 registers at most";
    SmMeshTotalSigRowCount "SM.MESHTOTALSIGROWCOUNT" Error 5 at "mesh",
        "all outputs of a mesh shader take 32 registers at most";
    SmAmplificationShaderPayloadSize "SM.AMPLIFICATIONSHADERPAYLOADSIZE" Error 5 at "mesh",
        "the payload of an amplification shader has 16384 bytes at most";
    SmAmplificationShaderPayloadSizeDeclared "SM.AMPLIFICATIONSHADERPAYLOADSIZEDECLARED" Error 5 at "mesh",
        "the payload of an amplification shader fits its declared size";
    SmIsSpecialFloat "SM.ISSPECIALFLOAT" Error 9 at "operations",
        "tests for special halfs need shader model 6.9";
    // UNI.
    UniNoUniInDiv "UNI.NOUNIINDIV" Error 0 not NEVER_REPORTED,
        "what must be uniform is not in divergent control flow";
    UniGradientFlow "UNI.GRADIENTFLOW" Warning 0 at "uniformity",
        "gradients are not taken in divergent control flow";
    UniThreadSync "UNI.THREADSYNC" Warning 0 at "uniformity",
        "threads are not synchronized in divergent control flow";
    UniNoWaveSensitiveGradient "UNI.NOWAVESENSITIVEGRADIENT" Warning 0 at "uniformity",
        "gradients do not depend on wave operations";
    // FLOW.
    FlowReducible "FLOW.REDUCIBLE" Error 0 at "flow",
        "control flow is reducible";
    FlowNoRecursion "FLOW.NORECURSION" Error 0 at "flow",
        "no function calls itself";
    FlowDeadLoop "FLOW.DEADLOOP" Error 0 at "flow",
        "a loop has an exit";
    FlowFunctionCall "FLOW.FUNCTIONCALL" Error 0 at "functions",
        "an entry point has no parameters";
    // DECL.
    DeclDxilNsReserved "DECL.DXILNSRESERVED" Error 0 at "types",
        "the prefix dx. belongs to DXIL's own types";
    DeclDxilFnExtern "DECL.DXILFNEXTERN" Error 0 at "functions",
        "outside of libraries only operations are declared";
    DeclUsedInternal "DECL.USEDINTERNAL" Error 0 at "globals",
        "a static or groupshared variable is used";
    DeclNotUsedExternal "DECL.NOTUSEDEXTERNAL" Error 0 at "globals",
        "an external variable is not used";
    DeclUsedExternalFunction "DECL.USEDEXTERNALFUNCTION" Error 0 at "functions",
        "a declared function is called";
    DeclFnIsCalled "DECL.FNISCALLED" Error 0 at "functions",
        "a declared function is only called";
    DeclFnFlattenParam "DECL.FNFLATTENPARAM" Error 0 at "functions",
        "outside of libraries no parameter is a structure";
    DeclFnAttribute "DECL.FNATTRIBUTE" Error 0 at "functions",
        "the attributes of a function are known ones";
    DeclResourceInFnSig "DECL.RESOURCEINFNSIG" Error 3 at "functions",
        "no parameter or result is a resource";
    DeclRayQueryInFnSig "DECL.RAYQUERYINFNSIG" Error 5 not "DXC reports it from HLSL; in DXIL a ray query is an i32 like any other",
        "no parameter or result is a ray query";
    DeclAllocateRayQueryFlagsAreConst "DECL.ALLOCATERAYQUERYFLAGSARECONST" Error 5 at "operations",
        "the flags of a ray query are constants";
    DeclAllocateRayQuery2FlagsAreConst "DECL.ALLOCATERAYQUERY2FLAGSARECONST" Error 9 at "operations",
        "both flags of a ray query are constants";
    DeclAllowOpacityMicromapsExpectedGivenForceOMM2State "DECL.ALLOWOPACITYMICROMAPSEXPECTEDGIVENFORCEOMM2STATE" Error 9 at "operations",
        "forcing two-state micromaps needs the flag that allows micromaps";
    DeclPayloadStruct "DECL.PAYLOADSTRUCT" Error 3 at "functions",
        "a payload is a structure";
    DeclAttrStruct "DECL.ATTRSTRUCT" Error 3 at "functions",
        "hit attributes are a structure";
    DeclParamStruct "DECL.PARAMSTRUCT" Error 3 at "functions",
        "the parameter of a callable shader is a structure";
    DeclExtraArgs "DECL.EXTRAARGS" Error 3 at "functions",
        "a ray tracing shader has no further parameters";
    DeclShaderReturnVoid "DECL.SHADERRETURNVOID" Error 0 at "functions",
        "an entry point returns nothing";
    DeclShaderMissingArg "DECL.SHADERMISSINGARG" Error 3 at "functions",
        "a ray tracing shader has its parameters";
    DeclMultipleNodeInputs "DECL.MULTIPLENODEINPUTS" Error 8 at "functions",
        "a node has one input at most";
    DeclNodeLaunchInputType "DECL.NODELAUNCHINPUTTYPE" Error 8 at "functions",
        "the input of a node is one that its launch mode has";
    // SM.
    SmIncompatibleCallInEntry "SM.INCOMPATIBLECALLINENTRY" Error 8 at "compatibility",
        "what an entry point calls suits the entry point";
    SmIncompatibleOperation "SM.INCOMPATIBLEOPERATION" Error 8 at "compatibility",
        "the operations of an entry point suit it";
    SmIncompatibleStage "SM.INCOMPATIBLESTAGE" Error 8 at "compatibility",
        "the operations of a function are those of the stage that calls it";
    SmIncompatibleShaderModel "SM.INCOMPATIBLESHADERMODEL" Error 8 at "compatibility",
        "the operations of a function are those of the shader model";
    SmIncompatibleThreadGroupDim "SM.INCOMPATIBLETHREADGROUPDIM" Error 8 at "compatibility",
        "with derivatives a thread group is made of quads";
    SmIncompatibleDerivInComputeShaderModel "SM.INCOMPATIBLEDERIVINCOMPUTESHADERMODEL" Error 8 at "compatibility",
        "derivatives outside of pixel shaders need shader model 6.6";
    SmIncompatibleRequiresGroup "SM.INCOMPATIBLEREQUIRESGROUP" Error 8 at "compatibility",
        "what needs a thread group is called where there is one";
    SmIncompatibleDerivLaunch "SM.INCOMPATIBLEDERIVLAUNCH" Error 8 at "compatibility",
        "a node that is launched per thread takes no derivatives";
}}}
pub(super) use for_each_rule;
