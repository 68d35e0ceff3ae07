import { Broken, demand } from "../../assertions.ts";
import type { Check } from "../check.ts";

export const freePort: Check = {
  id: "free-port",
  title: "two companions at once listen on two ports",
  requirements: ["T3"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const { companion: first } = await parallel.first();
    const { companion: second } = await parallel.second().catch((error: Error) => {
      throw new Broken(`while a companion was running, a second one did not start: ${error.message}`);
    });
    demand(first.target.port !== second.target.port, `both say that they listen on ${first.target.port}`);
  },
};
