import type { RoleRef, Subject } from 'setpoint/kinds'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

const group = 'rbac.authorization.k8s.io'

function fillSubject(subject: Subject): void {
  if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ??= group
}

/** The group rbac.authorization.k8s.io. */
export const accessDefaults: TypeDefaults = inPackage('k8s.io.api.rbac.v1', {
  RoleRef: typed<RoleRef>((reference) => {
    reference.apiGroup ||= group
  }),
  Subject: typed<Subject>(fillSubject),
})
