import { derElements } from 'setpoint/certificates'
import { elementOfPem } from './element-of-pem.ts'

const optionalVersion = 0xa0
const shortTime = 0x17

/**
 * The end of validity of a certificate (base64 of PEM) in epoch milliseconds; `undefined` if it is
 * invalid.
 */
export function certificateEndMs(certificate: string): number | undefined {
  const [body] = derElements(elementOfPem(certificate, 'CERTIFICATE')?.content)
  const fields = derElements(body?.content)
  const [, , , validity] = fields[0]?.tag === optionalVersion ? fields.slice(1) : fields
  const end = derElements(validity?.content)[1]
  if (end === undefined) return undefined
  const digits = new TextDecoder().decode(end.content)
  // Two-digit years are 1950 to 2049.
  const century = end.tag !== shortTime ? '' : digits < '5' ? '20' : '19'
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + digits)
  if (parts === null) return undefined
  const [, year, month, day, hour, minute, second] = parts.map(Number)
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
}
