import { type AnyResourceDefinition, isSetpointError } from 'setpoint'
import { validateRules } from 'setpoint/cel'
import {
  applyDefaults,
  type JsonObject,
  type JsonValue,
  isJsonObject,
  pruneUnknown,
  type StructuralSchema,
} from 'setpoint/schema'
import { parseAllDocuments } from 'yaml'

/** A problem of a sample, with its location. */
export interface SampleProblem {
  /** The path of the file. */
  readonly path: string
  /** The path of the field; empty for the whole file. */
  readonly field: string
  readonly message: string
}

/** Finds fields of a sample file that a server with these CRDs would refuse or drop. */
export function sampleProblems(
  definitions: readonly AnyResourceDefinition[],
  { path, text }: { readonly path: string; readonly text: string },
): SampleProblem[] {
  const documents = [parseAllDocuments(text)].flat()
  return documents.flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) return [{ path, field: '', message: `invalid YAML: ${error.message}` }]
    const object = document.toJS() as JsonValue
    if (!isJsonObject(object)) return []
    return problemsOf(definitions, object).map((problem) => ({ path, ...problem }))
  })
}

type Problem = Omit<SampleProblem, 'path'>

function problemsOf(definitions: readonly AnyResourceDefinition[], object: JsonObject): Problem[] {
  const { apiVersion, kind } = object
  const [group = '', version = ''] = typeof apiVersion === 'string' ? apiVersion.split('/') : []
  const ofGroup = definitions.filter((definition) => definition.group === group)
  // Objects of other groups, such as a Secret that a sample needs, are not checked.
  if (ofGroup.length === 0) return []
  const definition = ofGroup.find((each) => each.kind === kind)
  if (definition === undefined) {
    const known = ofGroup.map((each) => each.kind).join(', ')
    return [
      { field: 'kind', message: `${JSON.stringify(kind)} is not a kind of ${group} (${known})` },
    ]
  }
  if (!definition.versions.includes(version)) {
    const known = definition.versions.join(', ')
    return [
      { field: 'apiVersion', message: `${definition.kind} has no version ${version} (${known})` },
    ]
  }
  const schema = definition.schema(version)
  const unknown = pruneUnknown(schema, object, { isResourceRoot: true })
  const problems = [
    ...unknown.prunedPaths.map((field) => ({ field, message: 'unknown field' })),
    ...(version === definition.version
      ? parsed(definition, object)
      : converted(definition, object)),
  ]
  return problems.length > 0 ? problems : brokenRules(schema, object)
}

/** The CEL rules that an otherwise valid sample breaks, after its defaults. */
function brokenRules(schema: StructuralSchema, object: JsonObject): Problem[] {
  const { errors } = validateRules(schema, applyDefaults(schema, object))
  return errors.map(({ field, message }) => ({ field, message }))
}

function parsed(definition: AnyResourceDefinition, object: JsonObject): Problem[] {
  const result = definition.safeParse(object)
  return result.success ? [] : result.issues.map(({ field, message }) => ({ field, message }))
}

function converted(definition: AnyResourceDefinition, object: JsonObject): Problem[] {
  try {
    definition.convert(object, definition.version)
    return []
  } catch (error) {
    if (!isSetpointError(error)) throw error
    return [{ field: '', message: error.message }]
  }
}
