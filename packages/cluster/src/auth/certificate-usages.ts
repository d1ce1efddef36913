import { der } from 'setpoint/certificates'

/** The bit of each key usage, counted from the first. */
const keyBits: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
}

/** The OID of each extended key usage, in the order in which certificates list them. */
const purposes: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
}

/** The keyUsage extension for these usages; `undefined` if there is none. */
export function keyUsageBits(usages: readonly string[]): Uint8Array | undefined {
  const bits = usages.flatMap((usage) => keyBits[usage] ?? [])
  if (bits.length === 0) return undefined
  const last = Math.max(...bits)
  const bytes = new Uint8Array(last < 8 ? 1 : 2)
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  return der.bits(bytes, 7 - (last & 7))
}

/** The extendedKeyUsage extension for these usages; `undefined` if there is none. */
export function purposeList(usages: readonly string[]): Uint8Array | undefined {
  const requested = Object.entries(purposes).flatMap(([name, id]) =>
    usages.includes(name) ? id : [],
  )
  if (requested.length === 0) return undefined
  return der.sequence(...[...new Set(requested)].map((id) => der.oid(id)))
}
