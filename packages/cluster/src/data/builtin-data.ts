import type { JsonObject, JsonValue } from 'setpoint/schema'
import { discoveryText } from './generated/discovery.ts'
import { legacyDiscoveryText } from './generated/discovery-legacy.ts'
import { freshClusterText } from './generated/fresh-cluster.ts'
import { openApiDocumentsText } from './generated/openapi-documents.ts'
import { protoFieldsText } from './generated/proto-fields.ts'
import { schemasText } from './generated/schemas.ts'
import { selectableFieldsText } from './generated/selectable-fields.ts'
import { tableColumnsText } from './generated/table-columns.ts'

/** A group, a version and a kind; an empty part has the value of the enclosing group version. */
interface ResponseKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** `status`, `scale`, ... in aggregated discovery. */
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
  /** The key type of a map; `type` is the type of the values. */
  readonly map?: string
  /** The fields of the inner message belong to the outer JSON object. */
  readonly inline?: boolean
  /** A present zero value is kept. */
  readonly pointer?: boolean
  /** Go encodes it even if it is zero. */
  readonly always?: boolean
}

/** Messages by name and field number; scripts/import-cluster-data writes them. */
interface ProtoTables {
  readonly envelope: { readonly magic: string; readonly message: string }
  readonly everyGroupVersion: readonly string[]
  readonly unversioned: readonly string[]
  /** apiVersion -> kind -> message. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly messages: Readonly<Record<string, Readonly<Record<string, ProtoField>>>>
  /** Message -> its special JSON format. */
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

/** An object of a fresh cluster, ready to be stored except for a few placeholders. */
export interface FreshObject {
  readonly bucket: string
  readonly key: string
  readonly labels?: Readonly<Record<string, string>>
  /**
   * The stored text, with the placeholders "UID", "TIME", "REVISION", "CERTIFICATE" and
   * "CLUSTER-IP".
   */
  readonly text: string
  /** Another text for a server without controllers, or null if the object does not exist there. */
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

/** The data; each part is parsed on its first use. */
export const builtinData = {
  /** Aggregated discovery of `/api` and `/apis`, in the order of the server. */
  discovery: once<Discovery>(discoveryText),
  /** Legacy discovery documents by path, including `/version`. */
  legacyDiscovery: once<Record<string, JsonValue>>(legacyDiscoveryText),
  /** Definitions by name, such as `io.k8s.api.apps.v1.Deployment`. */
  schemas: once<{ readonly schemas: Readonly<Record<string, SchemaDefinition>> }>(schemasText),
  proto: once<ProtoTables>(protoFieldsText),
  /** The objects of a fresh cluster. */
  freshCluster: once<readonly FreshObject[]>(freshClusterText),
  /** By `v1/pods` or `apps/v1/deployments`. */
  tableColumns,
  /**
   * The field selectors that a resource supports, and its error message for others (`FIELD` stands
   * for the field).
   */
  selectableFields:
    once<Record<string, { readonly fields: readonly string[]; readonly refusal: string }>>(
      selectableFieldsText,
    ),
  /** OpenAPI v3 documents by path (`apis/apps/v1`): gzip, as base64. */
  openApiDocuments: once<Record<string, string>>(openApiDocumentsText),
} as const
