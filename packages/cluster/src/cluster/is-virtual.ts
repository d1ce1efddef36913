import type { Host, VirtualHost } from 'setpoint/host'

/** Whether the time of a host is virtual. */
export function isVirtual(host: Host): host is VirtualHost {
  return 'settle' in host
}
