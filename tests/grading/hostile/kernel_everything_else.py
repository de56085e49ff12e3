# Calls about the whole computer or other users' shares: priorities, processors, memory nodes, keys, clocks, names, quotas.
#
# lesson: 03

# %%
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = """
101 103 134 135 136 139 141 142 144 151 153 154 156 159 163 164 165 166 167 168 169 170 171 172 173 174 175 176 179 180 203 206
209 212 216 227 236 237 238 239 240 241 246 248 249 250 251 252 254 256 272 279 298 300 303 304 305 308 310 311 313 314 320
"""
if os.uname().machine == "x86_64":
    got = [number for number in map(int, NUMBERS.split()) if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1]
    assert got == [], got
