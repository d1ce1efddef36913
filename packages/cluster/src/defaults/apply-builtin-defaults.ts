import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { messageOf, planOf, type FieldPlan } from '../codec/index.ts'
import { accessDefaults } from './kinds/access-defaults.ts'
import { appsDefaults } from './kinds/apps-defaults.ts'
import { autoscalingDefaults } from './kinds/autoscaling-defaults.ts'
import { batchDefaults } from './kinds/batch-defaults.ts'
import { coreDefaults } from './kinds/core-defaults.ts'
import { deviceDefaults } from './kinds/device-defaults.ts'
import { extensionDefaults } from './kinds/extension-defaults.ts'
import { flowControlDefaults } from './kinds/flow-control-defaults.ts'
import { networkDefaults } from './kinds/network-defaults.ts'
import { podDefaults } from './kinds/pod-defaults.ts'
import { serviceDefaults } from './kinds/service-defaults.ts'
import { storageDefaults } from './kinds/storage-defaults.ts'
import { volumeDefaults } from './kinds/volume-defaults.ts'
import { roundQuantities } from './resource-quantities.ts'
import type { Defaulter } from './type-defaults.ts'

const defaulters = new Map<string, Defaulter>(
  [
    accessDefaults,
    appsDefaults,
    autoscalingDefaults,
    batchDefaults,
    coreDefaults,
    deviceDefaults,
    extensionDefaults,
    flowControlDefaults,
    networkDefaults,
    podDefaults,
    serviceDefaults,
    storageDefaults,
    volumeDefaults,
  ].flatMap((defaults) => Object.entries(defaults)),
)

/**
 * Applies a real server's defaults of this kind, in place (`object` is a fresh result of
 * `decodeTyped`). Runs on every create and update, before admission. Like Go's defaulting it works
 * by type: each struct is defaulted wherever it occurs, the outer one before the inner ones.
 */
export function applyBuiltinDefaults(apiVersion: string, kind: string, object: JsonObject): void {
  const message = messageOf(apiVersion, kind)
  if (message !== undefined) fillMessage(message, object)
}

function fillMessage(message: string, object: JsonObject): void {
  defaulters.get(message)?.(object)
  for (const field of fieldsToVisit(message)) {
    const value = Object.hasOwn(object, field.name) ? object[field.name] : undefined
    if (value === undefined || value === null) continue
    if (isResourceList(field)) roundQuantities(value)
    else visit(field, value)
  }
}

function visit(field: FieldPlan, value: JsonValue): void {
  if (Array.isArray(value)) {
    for (const item of value) if (isJsonObject(item)) fillMessage(field.message, item)
  } else if (isJsonObject(value)) {
    if (field.shape === 'single') fillMessage(field.message, value)
    else {
      for (const item of Object.values(value)) {
        if (isJsonObject(item)) fillMessage(field.message, item)
      }
    }
  }
}

function isResourceList(field: FieldPlan): boolean {
  return field.goType === 'v1.ResourceList'
}

const visited = new Map<string, readonly FieldPlan[]>()

/** The fields that contain something to default, computed once per message. */
function fieldsToVisit(message: string): readonly FieldPlan[] {
  const known = visited.get(message)
  if (known !== undefined) return known
  // Types may be recursive: until it is computed, a message counts as one without defaults.
  visited.set(message, [])
  const fields = planOf(message).fields.filter(
    (field) => isResourceList(field) || (field.form === 'message' && hasDefaults(field.message)),
  )
  visited.set(message, fields)
  return fields
}

function hasDefaults(message: string): boolean {
  return defaulters.has(message) || fieldsToVisit(message).length > 0
}
