import { type CelType, celTypes, listType, mapType } from '../types/cel-type.ts'

const simple: ReadonlySet<CelType['kind']> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
])

/** The type of a variable of a policy: a real server forgets the fields of its objects. */
export function variableType(result: CelType | undefined): CelType {
  if (result === undefined) return celTypes.dyn
  if (simple.has(result.kind)) return result
  const [first, second] = result.parameters
  if (result.kind === 'list') return listType(variableType(first))
  return result.kind === 'map' ? mapType(variableType(first), variableType(second)) : celTypes.dyn
}
