import type { JsonObject, JsonValue } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import { selectorStructText, type LabelSelector } from '../label-text.ts'
import type { CellPrinters } from '../row-printer.ts'

const group = 'admissionregistration.k8s.io'

/** Admission webhooks and policies. */
export const admissionPrinters: CellPrinters = {
  [`${group}/mutatingadmissionpolicies`]: (object, nowMs) =>
    policyCells(object, 'mutations', nowMs),
  [`${group}/mutatingadmissionpolicybindings`]: policyBindingCells,
  [`${group}/mutatingwebhookconfigurations`]: webhookCells,
  [`${group}/validatingadmissionpolicies`]: (object, nowMs) =>
    policyCells(object, 'validations', nowMs),
  [`${group}/validatingadmissionpolicybindings`]: policyBindingCells,
  [`${group}/validatingwebhookconfigurations`]: webhookCells,
}

function webhookCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { webhooks = [] } = object as unknown as { readonly webhooks?: readonly object[] }
  return [nameOf(object), webhooks.length, ageOf(object, nowMs)]
}

interface Policy {
  readonly spec?: {
    readonly mutations?: readonly object[]
    readonly validations?: readonly object[]
    readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string }
  }
}

function policyCells(
  object: JsonObject,
  rules: 'mutations' | 'validations',
  nowMs: number,
): JsonValue[] {
  const { spec } = object as unknown as Policy
  const param = spec?.paramKind
  return [
    nameOf(object),
    (spec?.[rules] ?? []).length,
    param === undefined ? '<unset>' : `${param.apiVersion ?? ''}/${param.kind ?? ''}`,
    ageOf(object, nowMs),
  ]
}

interface ParamRef {
  readonly name?: string
  readonly namespace?: string
  readonly selector?: LabelSelector
}

function policyBindingCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as {
    readonly spec?: { readonly policyName?: string; readonly paramRef?: ParamRef }
  }
  return [
    nameOf(object),
    spec?.policyName ?? '',
    paramText(spec?.paramRef ?? {}),
    ageOf(object, nowMs),
  ]
}

/** Without a namespace the parameters may be in any. */
function paramText({ name = '', namespace = '', selector }: ParamRef): string {
  if (name !== '') return `${namespace === '' ? '*' : namespace}/${name}`
  return selector === undefined ? '<unset>' : selectorStructText(selector)
}
