/**
 * The string formats that a real server checks for custom resources. Unknown formats are ignored;
 * names are compared without dashes, so `date-time` and `datetime` are equal.
 */
import { isCidr, isIpv4, isIpv6, isMac } from './address-formats.ts'
import { byteLength } from '../go/go-print.ts'
import { isEmail, isRequestUri } from './uri-formats.ts'
import { isDate, isDateTime, isDuration } from './time-formats.ts'

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u
const shortName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const longName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/
const colorByte = '[\\t\\n\\f\\r ]*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*'
const rgbColor = new RegExp(`^rgb\\(${colorByte},${colorByte},${colorByte}\\)$`)
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/

function isHostname(text: string): boolean {
  const areLabelsShort = text.split('.').every((label) => byteLength(label) <= 63)
  return byteLength(text) <= 255 && areLabelsShort && hostname.test(text)
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '')
  if (!creditCard.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

function isIsbn10(text: string): boolean {
  const bare = text.replace(/[\t\n\f\r -]+/g, '')
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(bare)) return false
  const sum = [...bare].reduce(
    (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  )
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const bare = text.replace(/[\t\n\f\r -]+/g, '')
  if (!/^[0-9]{13}$/.test(bare)) return false
  const sum = [...bare].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return sum % 10 === 0
}

function matching(regExp: RegExp): (text: string) => boolean {
  return (text) => regExp.test(text)
}

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  byte: matching(base64),
  cidr: isCidr,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: isEmail,
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  k8slongname: (text) => text.length <= 253 && longName.test(text),
  k8sshortname: (text) => text.length <= 63 && shortName.test(text),
  mac: isMac,
  password: () => true,
  rgbcolor: matching(rgbColor),
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  uri: isRequestUri,
  uuid: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
}

/** The check of a string format by its name; `undefined` for one that servers ignore. */
export function stringFormat(name: string): ((text: string) => boolean) | undefined {
  const bare = name.replaceAll('-', '')
  return Object.hasOwn(checks, bare) ? checks[bare] : undefined
}

/**
 * Whether a server checks `format` with this `type`. It warns about others when a CRD is written,
 * and otherwise ignores them.
 */
export function isKnownFormat(type: string | undefined, format: string): boolean {
  if (type === undefined || type === 'string') return stringFormat(format) !== undefined
  if (type === 'integer') return format === 'int32' || format === 'int64'
  return type === 'number' && (format === 'float' || format === 'double')
}
