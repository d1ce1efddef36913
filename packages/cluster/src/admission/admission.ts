import type { JsonObject } from 'setpoint/schema'
import type { UserInfo } from '../auth/index.ts'

/** The resource an admitted write is about. */
interface AdmittedResource {
  readonly group: string
  readonly version: string
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly isCustom: boolean
}

/** A write on its way into the store. */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly resource: AdmittedResource
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** What is to be stored (mutating plugins change it in place), or what is to be deleted. */
  readonly object: JsonObject
  readonly old: JsonObject | undefined
  readonly user: UserInfo
  readonly isDryRun: boolean
  readonly warn: (text: string) => void
}

/** What stands between an authorized write and the store. */
export interface Admission {
  /** May complete the object; throws an ApiError to refuse. */
  mutate(attributes: AdmissionAttributes): Promise<void>
  /** May only refuse. */
  validate(attributes: AdmissionAttributes): Promise<void>
}
