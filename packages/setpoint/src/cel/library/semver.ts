/** Semantic versions, as `blang/semver` reads and compares them. */
import { goQuote } from '../../schema/index.ts'
import { objectType } from '../types/cel-type.ts'
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import { CelError, CelObject, type CelResult } from '../values/cel-value.ts'
import { compareTexts } from '../values/equality.ts'

const semverType = objectType('kubernetes.Semver')

/** A version. */
class CelSemver extends CelObject {
  readonly type = semverType
  readonly numbers: readonly bigint[]
  readonly prerelease: readonly (bigint | string)[]

  constructor(numbers: readonly bigint[], prerelease: readonly (bigint | string)[]) {
    super()
    this.numbers = numbers
    this.prerelease = prerelease
  }

  compare(other: CelSemver): number {
    for (const [index, number] of this.numbers.entries()) {
      const theirs = other.numbers[index] ?? 0n
      if (number !== theirs) return number > theirs ? 1 : -1
    }
    if (this.prerelease.length === 0 || other.prerelease.length === 0) {
      return Number(other.prerelease.length > 0) - Number(this.prerelease.length > 0)
    }
    for (const [index, part] of this.prerelease.entries()) {
      const theirs = other.prerelease[index]
      if (theirs === undefined) return 1
      const order = compareParts(part, theirs)
      if (order !== 0) return order
    }
    return this.prerelease.length < other.prerelease.length ? -1 : 0
  }

  equals(other: CelObject): boolean {
    return other instanceof CelSemver && this.compare(other) === 0
  }
}

function compareParts(one: bigint | string, other: bigint | string): number {
  if (typeof one === 'bigint') {
    if (typeof other === 'string') return -1
    return one < other ? -1 : Number(one > other)
  }
  return typeof other === 'string' ? compareTexts(one, other) : 1
}

function readNumber(name: string, text: string): bigint | CelError {
  if (!/^\d*$/.test(text)) {
    return new CelError(`Invalid character(s) found in ${name} number ${goQuote(text)}`)
  }
  if (/^0\d/.test(text)) {
    const title = name.charAt(0).toUpperCase() + name.slice(1)
    return new CelError(`${title} number must not contain leading zeroes ${goQuote(text)}`)
  }
  return readUint(text)
}

function readUint(text: string): bigint | CelError {
  const head = `strconv.ParseUint: parsing ${goQuote(text)}: `
  if (text === '') return new CelError(`${head}invalid syntax`)
  const value = BigInt(text)
  return value < 2n ** 64n ? value : new CelError(`${head}value out of range`)
}

function readPrerelease(text: string): bigint | string | CelError {
  if (text === '') return new CelError('Prerelease is empty')
  if (/^\d+$/.test(text)) {
    return /^0\d/.test(text)
      ? new CelError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`)
      : readUint(text)
  }
  if (/^[A-Za-z0-9-]+$/.test(text)) return text
  return new CelError(`Invalid character(s) found in prerelease ${goQuote(text)}`)
}

function readSemver(text: string): CelSemver | CelError {
  if (text === '') return new CelError('Version string empty')
  const match = /^([^.]*)\.([^.]*)\.(.*)$/su.exec(text)
  if (match === null) return new CelError('No Major.Minor.Patch elements found')
  const [, major = '', minor = '', rest = ''] = match
  const plus = rest.indexOf('+')
  const build = plus < 0 ? [] : rest.slice(plus + 1).split('.')
  const withoutBuild = plus < 0 ? rest : rest.slice(0, plus)
  const dash = withoutBuild.indexOf('-')
  const prerelease = dash < 0 ? [] : withoutBuild.slice(dash + 1).split('.')
  const patch = dash < 0 ? withoutBuild : withoutBuild.slice(0, dash)
  const numbers: bigint[] = []
  for (const [name, part] of [
    ['major', major],
    ['minor', minor],
    ['patch', patch],
  ] as const) {
    const number = readNumber(name, part)
    if (number instanceof CelError) return number
    numbers.push(number)
  }
  const parts: (bigint | string)[] = []
  for (const text of prerelease) {
    const part = readPrerelease(text)
    if (part instanceof CelError) return part
    parts.push(part)
  }
  return buildProblem(build) ?? new CelSemver(numbers, parts)
}

function buildProblem(build: readonly string[]): CelError | undefined {
  for (const part of build) {
    if (part === '') return new CelError('Build meta data is empty')
    if (!/^[A-Za-z0-9-]+$/.test(part)) {
      return new CelError(`Invalid character(s) found in build meta data ${goQuote(part)}`)
    }
  }
  return undefined
}

/** Accepts a leading `v`, missing numbers and leading zeroes. */
function readNormalized(text: string): CelSemver | CelError {
  const parts = text.replace(/^v/, '').split('.')
  const three = parts.length > 3 ? [...parts.slice(0, 2), parts.slice(2).join('.')] : parts
  const trimmed = three.map((part) => {
    if (part.length <= 1) return part
    const rest = part.replace(/^0+/, '')
    return /^\d/.test(rest) ? rest : `0${rest}`
  })
  if (trimmed.length < 3) {
    if (/[+-]/.test(trimmed.at(-1) ?? '')) {
      return new CelError('short version cannot contain PreRelease/Build meta data')
    }
    while (trimmed.length < 3) trimmed.push('0')
  }
  return readSemver(trimmed.join('.'))
}

function read(text: unknown, isNormalized: unknown): CelSemver | CelError {
  return isNormalized === true ? readNormalized(text as string) : readSemver(text as string)
}

const asSemver = (value: unknown): CelSemver => value as CelSemver
const part =
  (index: number) =>
  (value: unknown): CelResult =>
    BigInt.asIntN(64, asSemver(value).numbers[index] ?? 0n)

/** The functions of versions. */
export const semvers: readonly FunctionDeclaration[] = declare({
  semver: [
    ['string_to_semver(string): kubernetes.Semver', (text) => read(text, false)],
    [
      'string_bool_to_semver(string, bool): kubernetes.Semver',
      (text, normal) => read(text, normal),
    ],
  ],
  isSemver: [
    ['is_semver_string(string): bool', (text) => !(read(text, false) instanceof CelError)],
    [
      'is_semver_string_bool(string, bool): bool',
      (text, normal) => !(read(text, normal) instanceof CelError),
    ],
  ],
  isGreaterThan: [
    [
      '.semver_is_greater_than(kubernetes.Semver, kubernetes.Semver): bool',
      (one, other) => asSemver(one).compare(asSemver(other)) > 0,
    ],
  ],
  isLessThan: [
    [
      '.semver_is_less_than(kubernetes.Semver, kubernetes.Semver): bool',
      (one, other) => asSemver(one).compare(asSemver(other)) < 0,
    ],
  ],
  compareTo: [
    [
      '.semver_compare_to(kubernetes.Semver, kubernetes.Semver): int',
      (one, other) => BigInt(asSemver(one).compare(asSemver(other))),
    ],
  ],
  major: [['.semver_major(kubernetes.Semver): int', part(0)]],
  minor: [['.semver_minor(kubernetes.Semver): int', part(1)]],
  patch: [['.semver_patch(kubernetes.Semver): int', part(2)]],
})
