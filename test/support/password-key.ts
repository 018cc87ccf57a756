/** A key pair with a password that takes 9 ms to check: each use of a new one takes half a second, since scrypt has higher limits there. */
export const passwordKey = {
  password: 'Storks',
  publicKey: 'RWSmU+6ZlBcR+5gbFM95c1TjFq4uWg02dua1u1PFEgqA92IP5lcwf+SP',
  secretFile:
    'untrusted comment: minisign secret key FB11179499EE53A6, created 2026-11-30\nRWRTY0IySc+z4avUHerxA4HK6Dwnx05Fgx2p4A2hl1/uwu7B3NsAgAAAAAAAAAAAAAEAAAAAGrCBTRVUI7Vv06Ht4fRqdwqSqa/XmUWlgKpv6Ap1/if1bE7t3brKrjq0+wGLBmoXJuqqKlOVMmxYaBmbwTFfOim5IaJojwURYsBhSLYFA4mSVR3MGw60HYveGhEpOYSPpPBISTR8R5A=\n',
};
