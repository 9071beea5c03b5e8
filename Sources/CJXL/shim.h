#ifndef CJXL_SHIM_H
#define CJXL_SHIM_H

#include <jxl/decode.h>
#include <jxl/encode.h>

/* Functions about profiles took a format until libjxl 0.9, which they do not use. */
#if JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION < 9
#define JXL_UNUSED_FORMAT NULL,
#else
#define JXL_UNUSED_FORMAT
#endif

static inline JxlDecoderStatus jxl_encoded_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, JxlColorEncoding *encoding) {
  return JxlDecoderGetColorAsEncodedProfile(decoder, JXL_UNUSED_FORMAT target, encoding);
}

static inline JxlDecoderStatus jxl_icc_profile_size(
    const JxlDecoder *decoder, JxlColorProfileTarget target, size_t *size) {
  return JxlDecoderGetICCProfileSize(decoder, JXL_UNUSED_FORMAT target, size);
}

static inline JxlDecoderStatus jxl_icc_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *profile, size_t size) {
  return JxlDecoderGetColorAsICCProfile(decoder, JXL_UNUSED_FORMAT target, profile, size);
}

#endif
