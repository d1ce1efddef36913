import { isConditionType } from '../status/conditions-schema.ts'
import { isRunbookName } from '../status/runbook-status.ts'
import type { LooseResourceOptions } from './loose-options.ts'
import type { Problem } from './problem.ts'

/**
 * Problems of the options as a whole, and problems that the compiler would find; names and schemas
 * are checked with the CRD.
 */
export function optionProblems(options: LooseResourceOptions): Problem[] {
  return [
    ...schemaProblems(options),
    ...versionProblems(options),
    ...ruleProblems(options),
    ...conditionProblems(options),
    ...runbookProblems(options),
  ]
}

function schemaProblems({ spec, status, versions = {} }: LooseResourceOptions): Problem[] {
  const schemas: [path: string, schema: unknown, isRequired: boolean][] = [
    ['spec', spec, true],
    ['status', status, false],
  ]
  for (const [name, version] of Object.entries(versions)) {
    schemas.push([`versions.${name}.spec`, version.spec, true])
    schemas.push([`versions.${name}.status`, version.status, false])
  }
  return schemas
    .filter(([, schema, isRequired]) => isRequired || schema !== undefined)
    .filter(([, schema]) => !('_zod' in Object(schema)))
    .map(([path]) => ({ path, reason: 'is not a zod schema', instead: 'write z.object({...})' }))
}

function versionProblems({ version, versions = {} }: LooseResourceOptions): Problem[] {
  const problems: Problem[] = []
  if (Object.hasOwn(versions, version)) {
    problems.push({
      path: `versions.${version}`,
      reason: 'this is the version the definition itself describes',
      instead: 'list only the others',
    })
  }
  const storing = Object.keys(versions).filter((name) => versions[name]?.storage === true)
  if (storing.length > 1) {
    problems.push({
      path: 'versions',
      reason: `objects cannot be stored in ${storing.join(' and ')} at the same time`,
      instead: 'set storage: true on one of them',
    })
  }
  return problems
}

function ruleProblems({ rules = [] }: LooseResourceOptions): Problem[] {
  return rules.flatMap((entry, index) => {
    const { rule } = Object(entry) as { readonly rule?: unknown }
    if (typeof rule === 'string' || '_zod' in Object(entry)) return []
    return [{ path: `rules[${index}]`, reason: 'is not a rule', instead: "write rule('...')" }]
  })
}

function conditionProblems({ conditions = [] }: LooseResourceOptions): Problem[] {
  const repeated =
    new Set(conditions).size < conditions.length
      ? [{ path: 'conditions', reason: 'names a condition twice' }]
      : []
  const wrong = conditions
    .filter((type) => !isConditionType(type))
    .map((type) => ({
      path: 'conditions',
      reason: `${JSON.stringify(type)} is not a condition type`,
      instead: 'use a CamelCase word such as "Ready"',
    }))
  return [...repeated, ...wrong]
}

function runbookProblems({ runbooks = [] }: LooseResourceOptions): Problem[] {
  const repeated =
    new Set(runbooks).size < runbooks.length
      ? [{ path: 'runbooks', reason: 'names a runbook twice' }]
      : []
  const wrong = runbooks
    .filter((name) => !isRunbookName(name))
    .map((name) => ({
      path: 'runbooks',
      reason: `${JSON.stringify(name)} is not a name of a runbook`,
      instead: 'use at most 30 lower case letters, digits and "-", such as "upgrade"',
    }))
  return [...repeated, ...wrong]
}
