import type { JsonObject } from 'setpoint/schema'
import type { UserInfo } from '../auth/index.ts'

/** The resource of an admitted write. */
interface AdmittedResource {
  readonly group: string
  readonly version: string
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly isCustom: boolean
}

/** A write before it is stored. */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly resource: AdmittedResource
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** The object to store (mutating plugins change it in place), or the object to delete. */
  readonly object: JsonObject
  readonly old: JsonObject | undefined
  readonly user: UserInfo
  readonly isDryRun: boolean
  readonly warn: (text: string) => void
}

/** The step between authorization and the store. */
export interface Admission {
  /** May change the object; throws an ApiError to refuse it. */
  mutate(attributes: AdmissionAttributes): Promise<void>
  /** May only refuse. */
  validate(attributes: AdmissionAttributes): Promise<void>
}
