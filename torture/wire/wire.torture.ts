import { torture } from "../torture.ts";
import { runWire } from "./wire.ts";

torture("wire", "what no client would send: bent HTTP and JSON-RPC, slow and huge", runWire);
