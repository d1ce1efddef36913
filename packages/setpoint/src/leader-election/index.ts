/**
 * leader-election/: leader election by a Lease.
 *
 * `new LeaderElection({ host, client, name }).run(work, signal)` waits until this replica holds the Lease
 * and then runs the work. Its times and its Lease content are those of client-go, so that `kubectl
 * get lease` and replicas in other languages understand it.
 *
 * The signal of the work is aborted before another replica can start. This holds even if wall
 * clocks are wrong or responses are lost. A replica that stops releases the Lease, so that the next
 * one need not wait. Not covered: a user deletes the Lease, or removes its holder, while a new
 * replica starts that never saw the holder.
 */
export { LeaderElection } from './leader-election.ts'
