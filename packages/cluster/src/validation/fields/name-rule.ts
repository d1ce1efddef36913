import {
  configKeyProblems,
  labelProblems,
  pathSegmentProblems,
  subdomainProblems,
} from './name-rules.ts'

/** The problems of a name; `isPrefix` for a generateName, to which a suffix is added. */
export type NameRule = (name: string, isPrefix: boolean) => string[]

/** A prefix may end with a dash, because the suffix ends with a letter or digit. */
function maskTrailingDash(name: string, isPrefix: boolean): string {
  return isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
}

/** The rules for the names of objects. */
export const nameRules = {
  /** Most kinds, and custom resources. */
  subdomain: (name, isPrefix) => subdomainProblems(maskTrailingDash(name, isPrefix)),
  /** Namespaces and Services. */
  label: (name, isPrefix) => labelProblems(maskTrailingDash(name, isPrefix)),
  /** RBAC kinds. */
  pathSegment: (name, isPrefix) =>
    isPrefix && (name === '.' || name === '..') ? [] : pathSegmentProblems(name),
  configKey: (name) => configKeyProblems(name),
  /** Kinds whose names only the generic layer checks. */
  any: () => [],
} as const satisfies Record<string, NameRule>
