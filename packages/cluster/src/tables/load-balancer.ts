/** The status of a load balancer in services and ingresses. */
export interface LoadBalancerStatus {
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[]
}

/**
 * The addresses of a load balancer, distinct and sorted; the IP address takes precedence over the
 * name.
 */
export function loadBalancerAddresses(status: LoadBalancerStatus | undefined): string[] {
  const addresses = (status?.ingress ?? []).map(({ ip = '', hostname = '' }) =>
    ip === '' ? hostname : ip,
  )
  return [...new Set(addresses.filter((address) => address !== ''))].sort()
}
