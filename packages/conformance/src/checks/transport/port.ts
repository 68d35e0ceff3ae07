import { Broken, demand } from "../../assertions.ts";
import type { Check } from "../check.ts";

export const freePort: Check = {
  id: "free-port",
  title: "two companions at once listen on two ports",
  requirements: ["T3"],
  lane: "neighbours",
  needs: ["command"],
  async run({ neighbours }) {
    const { companion: first } = await neighbours.first();
    const { companion: second } = await neighbours.second().catch((error: Error) => {
      throw new Broken(`beside a companion that runs, a second one did not start: ${error.message}`);
    });
    demand(first.target.port !== second.target.port, `both say that they listen on ${first.target.port}`);
  },
};
