import { fieldError, type FieldError } from 'setpoint/schema'

/** The levels of the Pod Security Standards. */
type Level = 'privileged' | 'baseline' | 'restricted'

const levels: readonly Level[] = ['privileged', 'baseline', 'restricted']

/** A level of one release of Kubernetes; `minor` is Infinity for the latest one. */
export interface LevelVersion {
  readonly level: Level
  readonly minor: number
}

/** The policy of a namespace's labels. */
export interface Policy {
  readonly enforce: LevelVersion
  readonly audit: LevelVersion
  readonly warn: LevelVersion
  /** Invalid labels. An invalid level is enforced as restricted. */
  readonly errors: readonly FieldError[]
}

/** `baseline:latest`, `restricted:v1.30`. */
export function levelVersionText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === Infinity ? 'latest' : `v1.${minor}`}`
}

/** Positive when `a` is stricter than `b`. */
export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b)
}

interface Mode {
  readonly value: LevelVersion
  readonly level: 'missing' | 'wrong' | 'known'
  readonly hasVersion: boolean
  readonly errors: readonly FieldError[]
}

/** The policy of a namespace with these labels. Without labels, everything is allowed. */
export function policyOf(labels: Readonly<Record<string, string>>): Policy {
  const enforce = readMode(labels, 'enforce', 'restricted')
  const audit = readMode(labels, 'audit', 'privileged')
  const warn = readMode(labels, 'warn', 'privileged')
  // Without a warn level, the enforced level also causes warnings.
  const follows = warn.level === 'missing' && enforce.level === 'known'
  const minor = (warn.hasVersion ? warn : enforce).value.minor
  return {
    enforce: enforce.value,
    audit: audit.value,
    warn: follows ? { level: enforce.value.level, minor } : warn.value,
    errors: [...enforce.errors, ...audit.errors, ...warn.errors],
  }
}

function readMode(
  labels: Readonly<Record<string, string>>,
  mode: string,
  levelIfWrong: Level,
): Mode {
  const key = `pod-security.kubernetes.io/${mode}`
  const [levelText, versionText] = [key, `${key}-version`].map((label) =>
    Object.hasOwn(labels, label) ? labels[label] : undefined,
  )
  const level = levels.find((known) => known === levelText)
  const minor = versionText === undefined ? Infinity : minorOf(versionText)
  const errors: FieldError[] = []
  const wrong = (label: string, text: string, why: string) =>
    errors.push(fieldError.invalid(`metadata.labels[${label}]`, text, why))
  if (levelText !== undefined && level === undefined) {
    wrong(key, levelText, `must be one of ${levels.join(', ')}`)
  }
  if (versionText !== undefined && minor === undefined) {
    wrong(`${key}-version`, versionText, 'must be "latest" or "v1.x"')
  }
  const unknown = levelText === undefined ? 'privileged' : levelIfWrong
  return {
    value: { level: level ?? unknown, minor: minor ?? Infinity },
    level: level !== undefined ? 'known' : levelText === undefined ? 'missing' : 'wrong',
    hasVersion: versionText !== undefined,
    errors,
  }
}

function minorOf(version: string): number | undefined {
  if (version === 'latest') return Infinity
  const digits = /^v1\.(0|[1-9]\d*)$/.exec(version)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
