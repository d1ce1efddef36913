import {
  configKeyComplaints,
  labelComplaints,
  pathSegmentComplaints,
  subdomainComplaints,
} from './name-rules.ts'

/** The complaints about a name; `isPrefix` when it is a generateName, to which letters are added. */
export type NameRule = (name: string, isPrefix: boolean) => string[]

/** A prefix may end in a dash, because what is added ends in a letter or digit. */
function maskTrailingDash(name: string, isPrefix: boolean): string {
  return isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
}

/** The rules for the names of objects. */
export const nameRules = {
  /** Most kinds, and custom resources. */
  subdomain: (name, isPrefix) => subdomainComplaints(maskTrailingDash(name, isPrefix)),
  /** Namespaces and Services. */
  label: (name, isPrefix) => labelComplaints(maskTrailingDash(name, isPrefix)),
  /** RBAC kinds. */
  pathSegment: (name, isPrefix) =>
    isPrefix && (name === '.' || name === '..') ? [] : pathSegmentComplaints(name),
  configKey: (name) => configKeyComplaints(name),
  /** Kinds whose names nobody but the generic layer looks at. */
  any: () => [],
} as const satisfies Record<string, NameRule>
