import { connect } from "node:net";

/** Tells whether a port takes connections; within two seconds. */
export function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (connected: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(connected);
    };
    // Counts the search for the host's name as well, which a socket's own limit does not.
    const timer = setTimeout(() => finish(false), 2000);
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
  });
}
