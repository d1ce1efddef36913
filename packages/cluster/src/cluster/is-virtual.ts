import type { Host, VirtualHost } from 'setpoint/host'

/** Whether a host is one whose time is not the world's. */
export function isVirtual(host: Host): host is VirtualHost {
  return 'settle' in host
}
