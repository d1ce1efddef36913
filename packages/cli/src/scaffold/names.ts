import { CommandError, exitCodes } from '../command/index.ts'

/** What a resource is called, in all the ways that its files need. */
export interface ResourceNames {
  /** `CronTab` */
  readonly kind: string
  /** `cronTab`, a variable */
  readonly variable: string
  /** `cron-tab`, a file */
  readonly file: string
  readonly group: string
  /** The version of its API: `v1alpha1` */
  readonly version: string
}

/** Checks what somebody called a resource, and derives the rest. */
export function resourceNames(given: {
  readonly kind: string
  readonly group: string
  readonly version: string
}): ResourceNames {
  const { kind, group, version } = given
  check(/^[A-Z][A-Za-z0-9]{0,62}$/.test(kind), `${kind} cannot be a kind`, 'write it like CronTab')
  check(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/.test(group),
    `${group} cannot be the group of an API`,
    'it is a domain of yours, like apps.example.com',
  )
  check(
    /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(version),
    `${version} cannot be the version of an API`,
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

/** Words that a variable cannot be called, as far as a kind could be. */
const reserved = new Set([
  ...[
    'break',
    'case',
    'catch',
    'class',
    'const',
    'default',
    'delete',
    'do',
    'else',
    'enum',
    'export',
  ],
  ...[
    'extends',
    'false',
    'finally',
    'for',
    'function',
    'if',
    'import',
    'in',
    'new',
    'null',
    'operator',
  ],
  ...[
    'package',
    'private',
    'public',
    'return',
    'static',
    'super',
    'switch',
    'this',
    'throw',
    'true',
  ],
  ...['try', 'typeof', 'var', 'void', 'when', 'while', 'with', 'yield', 'interface', 'let', 'test'],
])

/** A package cannot depend on one of its own name. */
const packages = new Set(['setpoint', 'zod', 'typescript', 'vitest'])

/** Checks the name of a project: it becomes a folder and a package. */
export function checkProjectName(name: string): void {
  check(
    /^[a-z0-9][-a-z0-9._]{0,100}$/.test(name),
    `${JSON.stringify(name)} cannot be the name of a project`,
    'use lower-case letters, digits and hyphens, like my-operator',
  )
  check(
    !packages.has(name),
    `a project cannot be called ${name}, like a package that it needs`,
    `call it ${name}-operator, for example`,
  )
}

function check(isRight: boolean, message: string, hint: string): void {
  if (!isRight) throw new CommandError(message, { hint, exitCode: exitCodes.usage })
}
