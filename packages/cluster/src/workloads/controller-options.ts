import type { OperatorOptions } from 'setpoint'

/** What all controllers of the cluster have in common: they write as the controller manager does, and report in their own words. */
export const controllerOptions: OperatorOptions = {
  fieldManager: 'kube-controller-manager',
  failureEvents: false,
}
