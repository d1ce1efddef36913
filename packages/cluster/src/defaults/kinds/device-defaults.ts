import type { DeviceSubRequest, DeviceToleration } from 'setpoint/kinds'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

const fillRequest = typed<DeviceSubRequest>((request) => {
  request.allocationMode ??= 'ExactCount'
  if (request.allocationMode === 'ExactCount') request.count ||= 1
})

/** The group resource.k8s.io. */
export const deviceDefaults: TypeDefaults = inPackage('k8s.io.api.resource.v1', {
  ExactDeviceRequest: fillRequest,
  DeviceSubRequest: fillRequest,
  DeviceToleration: typed<DeviceToleration>((toleration) => {
    toleration.operator ??= 'Equal'
  }),
})
