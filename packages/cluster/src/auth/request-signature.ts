import { createPublicKey, verify } from 'node:crypto'
import type { CertificateRequest } from '../codec/index.ts'

/** The hash of each signature algorithm; null for Ed25519, which has no separate hash. */
const hashes: Readonly<Record<string, string | null>> = {
  '42,134,72,206,61,4,3,2': 'sha256',
  '42,134,72,206,61,4,3,3': 'sha384',
  '42,134,72,206,61,4,3,4': 'sha512',
  '42,134,72,134,247,13,1,1,11': 'sha256',
  '42,134,72,134,247,13,1,1,12': 'sha384',
  '42,134,72,134,247,13,1,1,13': 'sha512',
  '43,101,112': null,
}

/** Whether a request is signed with the key that it contains. */
export function isSelfSigned(request: CertificateRequest): boolean {
  const hash = hashes[request.algorithm]
  if (hash === undefined) return false
  try {
    const key = createPublicKey({
      key: Buffer.from(request.publicKey),
      format: 'der',
      type: 'spki',
    })
    return verify(hash, request.body, key, request.signature)
  } catch {
    // An unreadable key cannot verify a signature.
    return false
  }
}
