import type { JsonObject, JsonValue } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import type { CellPrinters } from '../row-printer.ts'

/** Role bindings; roles are printed by name and creation time. */
export const rbacPrinters: CellPrinters = {
  'rbac.authorization.k8s.io/clusterrolebindings': bindingCells,
  'rbac.authorization.k8s.io/rolebindings': bindingCells,
}

interface Subject {
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

interface Binding {
  readonly roleRef?: { readonly kind?: string; readonly name?: string }
  readonly subjects?: readonly Subject[]
}

function bindingCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { roleRef, subjects = [] } = object as unknown as Binding
  const names = (subjectKind: string): string =>
    subjects
      .filter(({ kind }) => kind === subjectKind)
      .map(({ name, namespace = '' }) =>
        subjectKind === 'ServiceAccount' && namespace !== '' ? `${namespace}/${name}` : name,
      )
      .join(', ')
  return [
    nameOf(object),
    `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
    ageOf(object, nowMs),
    names('User'),
    names('Group'),
    names('ServiceAccount'),
  ]
}
