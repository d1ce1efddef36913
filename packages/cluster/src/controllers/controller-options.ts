import type { OperatorOptions } from 'setpoint'

/**
 * Common to all controllers: they write as kube-controller-manager, and record their own Events
 * instead of Setpoint's failure Events.
 */
export const controllerOptions: OperatorOptions = {
  fieldManager: 'kube-controller-manager',
  failureEvents: false,
}
