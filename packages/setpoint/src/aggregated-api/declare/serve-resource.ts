import type { AnyResourceDefinition } from '../../definition/index.ts'
import type { JsonObject } from '../../schema/index.ts'
import type {
  ApiCall,
  ListCall,
  ResourceFunctions,
  ServedDefinition,
  WatchCall,
} from './served-types.ts'

interface LooseGetCall extends ApiCall {
  readonly name: string
  readonly namespace: string | undefined
}

interface LooseWriteCall extends LooseGetCall {
  readonly dryRun: boolean
}

/** The functions of a resource, without their types. */
interface LooseFunctions {
  readonly get: (call: LooseGetCall) => unknown
  readonly list: (call: ListCall) => unknown
  readonly watch?: ((call: WatchCall) => AsyncIterable<unknown>) | undefined
  readonly create?: ((object: JsonObject, call: LooseWriteCall) => unknown) | undefined
  readonly update?:
    | ((object: JsonObject, call: LooseWriteCall & { readonly old: JsonObject }) => unknown)
    | undefined
  readonly delete?: ((object: JsonObject, call: LooseWriteCall) => unknown) | undefined
}

/** A resource and the functions that answer requests for it. */
export interface ServedResource {
  readonly definition: AnyResourceDefinition
  readonly functions: LooseFunctions
}

/**
 * A resource of an aggregated API: its objects are not stored by the API server, but computed or
 * kept elsewhere by these functions. The definition gives types, schema, names and columns. Pass the
 * result to `serveApi`.
 */
export function serveResource<D extends ServedDefinition>(
  definition: D,
  functions: ResourceFunctions<D>,
): ServedResource {
  // The type parameters describe the functions; at run time they get JSON.
  return { definition, functions: functions as unknown as LooseFunctions }
}

/** The verbs of a resource, as in discovery. */
export function verbsOf({ functions }: ServedResource): string[] {
  const { create, update, watch } = functions
  return [
    ...(create === undefined ? [] : ['create']),
    ...(functions.delete === undefined ? [] : ['delete']),
    'get',
    'list',
    ...(update === undefined ? [] : ['patch', 'update']),
    ...(watch === undefined ? [] : ['watch']),
  ]
}
