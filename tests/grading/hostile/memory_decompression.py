# A few kilobytes that unpack into more than there is.
#
# lesson: 03
# says: Code cell 1 (`import zlib`)

# %%
import zlib

packing = zlib.compressobj(9, wbits=-15)
block = packing.compress(bytes(2**24)) + packing.flush(zlib.Z_FULL_FLUSH)
zlib.decompress(block * 200, wbits=-15)
