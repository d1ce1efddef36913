import { createPublicKey, verify } from 'node:crypto'
import type { CertificateRequest } from '../codec/index.ts'

/** What is hashed how, by the algorithm of a signature; the keys of Ed25519 hash by themselves. */
const hashes: Readonly<Record<string, string | null>> = {
  '42,134,72,206,61,4,3,2': 'sha256',
  '42,134,72,206,61,4,3,3': 'sha384',
  '42,134,72,206,61,4,3,4': 'sha512',
  '42,134,72,134,247,13,1,1,11': 'sha256',
  '42,134,72,134,247,13,1,1,12': 'sha384',
  '42,134,72,134,247,13,1,1,13': 'sha512',
  '43,101,112': null,
}

/** Whether who made a request has the key that it is about. */
export function isSignedByItself(request: CertificateRequest): boolean {
  const hash = hashes[request.algorithm]
  if (hash === undefined) return false
  try {
    const key = createPublicKey({
      ...{ key: Buffer.from(request.publicKey), format: 'der', type: 'spki' },
    })
    return verify(hash, request.body, key, request.signature)
  } catch {
    // A key that cannot be read signs nothing.
    return false
  }
}
