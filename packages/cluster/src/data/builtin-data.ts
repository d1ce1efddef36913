import type { JsonObject, JsonValue } from 'setpoint/schema'
import { discoveryText } from './generated/discovery.ts'
import { legacyDiscoveryText } from './generated/discovery-legacy.ts'
import { freshClusterText } from './generated/fresh-cluster.ts'
import { openApiDocumentsText } from './generated/openapi-documents.ts'
import { protoFieldsText } from './generated/proto-fields.ts'
import { schemasText } from './generated/schemas.ts'
import { selectableFieldsText } from './generated/selectable-fields.ts'
import { tableColumnsText } from './generated/table-columns.ts'

/** A group, a version and a kind; empty means that of the enclosing group version. */
interface ResponseKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** `status`, `scale`, ... as aggregated discovery lists it. */
export interface DiscoveredSubresource {
  readonly subresource: string
  readonly responseKind: ResponseKind
  readonly verbs: readonly string[]
  readonly acceptedTypes?: readonly ResponseKind[]
}

/** One resource of a group version. */
export interface DiscoveredResource {
  readonly resource: string
  readonly responseKind: ResponseKind
  readonly scope: 'Namespaced' | 'Cluster'
  readonly singularResource: string
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources?: readonly DiscoveredSubresource[]
}

/** A group with its versions, the preferred one first. */
export interface DiscoveredGroup {
  readonly metadata: { readonly name?: string }
  readonly versions: readonly {
    readonly version: string
    readonly freshness: string
    readonly resources: readonly DiscoveredResource[]
  }[]
}

/** One field of a protobuf message, which is one field of a Go struct. */
export interface ProtoField {
  /** The JSON name. */
  readonly name: string
  readonly type: string
  readonly repeated?: boolean
  /** The key type of a map; `type` is that of the values. */
  readonly map?: string
  /** The inner message's fields belong to the outer JSON object. */
  readonly inline?: boolean
  /** What is there is kept, also when it is zero. */
  readonly pointer?: boolean
  /** Go prints it even when it is zero. */
  readonly always?: boolean
}

/** Messages by name and field number; see scripts/import-cluster-data for where it comes from. */
interface ProtoTables {
  readonly envelope: { readonly magic: string; readonly message: string }
  readonly everyGroupVersion: readonly string[]
  readonly unversioned: readonly string[]
  /** apiVersion -> kind -> message. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly messages: Readonly<Record<string, Readonly<Record<string, ProtoField>>>>
  /** Message -> the special form it takes in JSON. */
  readonly special: Readonly<Record<string, string>>
}

/** One OpenAPI definition; references are `{ ref: name }`. */
type SchemaDefinition = JsonObject

/** A column of a printed table. */
interface TableColumn {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly priority: number
}

/** An object that a fresh cluster holds, ready to be stored but for a few blanks. */
export interface FreshObject {
  readonly bucket: string
  readonly key: string
  readonly labels?: Readonly<Record<string, string>>
  /** What the store keeps, with "UID", "TIME", "REVISION", "CERTIFICATE" and "CLUSTER-IP" in it. */
  readonly text: string
  /** Another text on a server that no controllers serve, or null: there it does not exist. */
  readonly serverAlone?: string | null
}

function once<T>(text: string): () => T {
  let parsed: T | undefined
  return () => (parsed ??= JSON.parse(text) as T)
}

interface Discovery {
  readonly api: { readonly items: readonly DiscoveredGroup[] }
  readonly apis: { readonly items: readonly DiscoveredGroup[] }
}

const tableColumns =
  once<Record<string, { readonly kind: string; readonly columns: readonly TableColumn[] }>>(
    tableColumnsText,
  )

/** The data, each part parsed at its first use. */
export const builtinData = {
  /** Aggregated discovery of `/api` and `/apis`, in the server's order. */
  discovery: once<Discovery>(discoveryText),
  /** Legacy discovery documents by path, `/version` among them. */
  legacyDiscovery: once<Record<string, JsonValue>>(legacyDiscoveryText),
  /** Definitions by name, such as `io.k8s.api.apps.v1.Deployment`. */
  schemas: once<{ readonly schemas: Readonly<Record<string, SchemaDefinition>> }>(schemasText),
  proto: once<ProtoTables>(protoFieldsText),
  /** The objects of a fresh cluster. */
  freshCluster: once<readonly FreshObject[]>(freshClusterText),
  /** By `v1/pods` or `apps/v1/deployments`. */
  tableColumns,
  /** The field selectors a resource answers, and its words for others (`FIELD` in place of the field). */
  selectableFields:
    once<Record<string, { readonly fields: readonly string[]; readonly refusal: string }>>(
      selectableFieldsText,
    ),
  /** OpenAPI v3 documents by path (`apis/apps/v1`): gzip, as base64. */
  openApiDocuments: once<Record<string, string>>(openApiDocumentsText),
} as const
