import { CommandError, exitCodes } from '../command/index.ts'

/** The names of a resource in its files. */
export interface ResourceNames {
  /** `CronTab` */
  readonly kind: string
  /** The variable: `cronTab` */
  readonly variable: string
  /** The file: `cron-tab` */
  readonly file: string
  readonly group: string
  /** The version of its API: `v1alpha1` */
  readonly version: string
}

/** Checks the names that the user gave, and derives the others. */
export function resourceNames(given: {
  readonly kind: string
  readonly group: string
  readonly version: string
}): ResourceNames {
  const { kind, group, version } = given
  checkKind(kind)
  checkGroup(group)
  check(
    /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(version),
    `${version} is not a valid API version`,
    'write it like v1, v1beta1 or v2alpha1',
  )
  const file = kind
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
  const variable = file.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return {
    kind,
    group,
    version,
    file,
    variable: reserved.has(variable) ? `${variable}Operator` : variable,
  }
}

/** Checks a kind. */
export function checkKind(kind: string): void {
  check(
    /^[A-Z][A-Za-z0-9]{0,62}$/.test(kind),
    `${kind} is not a valid kind`,
    'write it like CronTab',
  )
}

/** Checks an API group. */
export function checkGroup(group: string): void {
  check(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/.test(group),
    `${group} is not a valid API group`,
    'use a domain that you own, like apps.example.com',
  )
}

/** Reserved words and used names that a kind could have. */
const reserved = new Set(
  [
    'break case catch class const default delete do else enum export extends false finally',
    'for function if import in new null operator package private public return static super',
    'switch this throw true try typeof var void when while with yield interface let test',
  ].flatMap((line) => line.split(' ')),
)

/** A package cannot depend on a package with the same name. */
const packages = new Set(['setpoint', 'zod', 'typescript', 'vitest'])

/** Checks the name of a project: it becomes a folder and a package. */
export function checkProjectName(name: string): void {
  check(
    /^[a-z0-9][-a-z0-9._]{0,100}$/.test(name),
    `${JSON.stringify(name)} is not a valid project name`,
    'use lower-case letters, digits and hyphens, like my-operator',
  )
  check(
    !packages.has(name),
    `a project cannot have the name of its dependency ${name}`,
    `use ${name}-operator, for example`,
  )
}

function check(isValid: boolean, message: string, hint: string): void {
  if (!isValid) throw new CommandError(message, { hint, exitCode: exitCodes.usage })
}
