import { describe, expect, test } from "vitest";
import {
  lineageOf,
  parsePs,
  parseWin32Processes,
  readProcessTable,
} from "../../system/processes/process-table.ts";
import { findIdeProcess } from "./older-versions.ts";

/** The process that an older CLI with this id takes for its IDE, on Linux or macOS. */
const findOnUnix = (ps: string, pid: number) => findIdeProcess(parsePs(ps), pid, "linux");

describe("on Linux, the IDE's process", () => {
  test("is what starts the terminal's shells in VS Code", () => {
    const ps = `
      1       0 /sbin/init splash
   2100       1 /usr/share/code/code --unity-launch
   2133    2100 /usr/share/code/code --type=zygote --no-sandbox
   2290    2100 /usr/share/code/code --type=utility --utility-sub-type=node.mojom.NodeService --lang=de
   4001    2290 /usr/bin/bash --init-file /usr/share/code/resources/app/out/vs/workbench/contrib/terminal/common/scripts/shellIntegration-bash.sh
   4300    4001 node /usr/local/bin/gemini
   4311    4300 /usr/bin/node --max-old-space-size=8000 /usr/local/bin/gemini`;
    expect(findOnUnix(ps, 4311)).toBe(2100);
  });

  test("is the server of a remote window", () => {
    const ps = `
   1 0 /sbin/init
 500 1 sh /home/ada/.vscode-server/bin/cafe/bin/code-server --host=127.0.0.1
 510 500 /home/ada/.vscode-server/bin/cafe/node /home/ada/.vscode-server/bin/cafe/out/server-main.js
 560 510 /home/ada/.vscode-server/bin/cafe/node /home/ada/.vscode-server/bin/cafe/out/bootstrap-fork --type=ptyHost
 700 560 /bin/zsh
 710 700 node /usr/bin/qwen`;
    expect(findOnUnix(ps, 710)).toBe(510);
  });

  test("is the session manager above a terminal, which is no IDE", () => {
    const ps = `
   1 0 /usr/lib/systemd/systemd
1200 1 /usr/lib/systemd/systemd --user
1900 1200 /usr/libexec/gnome-terminal-server
1950 1900 bash
1990 1950 node /usr/bin/gemini`;
    expect(findOnUnix(ps, 1990)).toBe(1200);
  });

  test("is a terminal that nobody else has started", () => {
    expect(findOnUnix("1 0 init\n50 1 xterm\n51 50 /bin/dash\n52 51 node gemini", 52)).toBe(50);
  });

  test("is the server of tmux, and not the editor in another pane", () => {
    const ps = `
  1 0 init
 80 1 tmux new-session -s work
 81 80 -zsh
 90 81 nvim
120 80 /usr/bin/zsh
130 120 node /usr/bin/gemini`;
    expect(findOnUnix(ps, 130)).toBe(80);
  });

  test("is the server of tmux also where a pane runs the CLI without a shell", () => {
    const ps =
      "1 0 init\n80 1 tmux -S /tmp/s new-session\n81 80 node gemini.js\n82 81 /usr/bin/node gemini.js";
    expect(findOnUnix(ps, 82)).toBe(80);
  });

  test("is the server of screen", () => {
    const ps = "1 0 init\n70 1 SCREEN -S work\n71 70 /bin/bash\n72 71 node qwen";
    expect(findOnUnix(ps, 72)).toBe(70);
  });

  test("is the SSH daemon's session in a remote login", () => {
    const ps = `
  1 0 init
600 1 sshd: /usr/sbin/sshd -D [listener] 0 of 10-100 startups
610 600 sshd: ada [priv]
615 610 sshd: ada@pts/0
616 615 bash
620 616 node /usr/bin/gemini`;
    expect(findOnUnix(ps, 620)).toBe(610);
  });

  test("is the login shell's parent when that shell has a dash before its name and is not recognised", () => {
    const ps =
      "1 0 init\n610 1 sshd: ada [priv]\n615 610 sshd: ada@pts/0\n616 615 -bash\n620 616 node gemini";
    expect(findOnUnix(ps, 620)).toBe(610);
  });

  test("is the parent of an IDE's embedded terminal that JetBrains Toolbox has started", () => {
    const ps = `
   1 0 /sbin/init
1300 1 /home/ada/.local/share/JetBrains/Toolbox/bin/jetbrains-toolbox --minimize
1400 1300 /home/ada/.local/share/JetBrains/Toolbox/apps/intellij-idea-ultimate/bin/idea
1500 1400 /bin/bash --rcfile /home/ada/.local/share/JetBrains/Toolbox/apps/intellij-idea-ultimate/plugins/terminal/shell-integrations/bash/bash-integration.bash -i
1600 1500 node /usr/bin/gemini`;
    // The grandparent of the shell: the companion in the IDE has to reckon with Toolbox above it.
    expect(findOnUnix(ps, 1600)).toBe(1300);
  });

  test("is WSL's relay to the window it was opened from", () => {
    const ps =
      "1 0 /init\n8 1 /init\n9 8 /init\n10 9 -bash\n11 10 /bin/sh -c gemini\n12 11 node /usr/bin/gemini";
    expect(findOnUnix(ps, 12)).toBe(9);
  });

  test("is Neovim's screen, whose child starts the shells", () => {
    const ps =
      "1 0 init\n30 1 xterm\n31 30 zsh\n40 31 nvim\n41 40 nvim --embed\n50 41 /bin/zsh\n51 50 node gemini";
    expect(findOnUnix(ps, 51)).toBe(40);
  });

  test("is never process 1, even if that is a shell as in a container", () => {
    expect(findOnUnix("1 0 bash\n20 1 node gemini\n21 20 node gemini", 21)).toBe(20);
  });

  test("is process 1 when it has started the only shell", () => {
    expect(findOnUnix("1 0 /pause\n20 1 bash\n21 20 node gemini", 21)).toBe(1);
  });

  test("is the CLI itself where processes cannot be listed", () => {
    expect(findOnUnix("", 40)).toBe(40);
  });

  test("has an id also where it is hidden", () => {
    expect(findOnUnix("40 39 node gemini\n39 38 env node gemini", 40)).toBe(38);
  });
});

describe("on macOS, the IDE's process", () => {
  const find = (ps: string, pid: number) => findIdeProcess(parsePs(ps), pid, "darwin");

  test("is VS Code's own, with spaces in its path", () => {
    const ps = `
    1     0 /sbin/launchd
  900     1 /Applications/Visual Studio Code.app/Contents/MacOS/Electron
  950   900 /Applications/Visual Studio Code.app/Contents/Frameworks/Code Helper.app/Contents/MacOS/Code Helper --type=utility
  990   950 /bin/zsh -il
 1010   990 node /opt/homebrew/bin/gemini`;
    expect(find(ps, 1010)).toBe(900);
  });

  test("is the terminal, whose login shell is not recognised by its name", () => {
    const ps = `
  1 0 /sbin/launchd
300 1 /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal
310 300 login -pf ada
311 310 -zsh
320 311 node /opt/homebrew/bin/gemini`;
    expect(find(ps, 320)).toBe(300);
  });
});

describe("on Windows, the IDE's process", () => {
  const find = (
    processes: readonly (readonly [pid: number, parent: number, name: string])[],
    pid: number,
  ) => {
    const list = processes.map(([ProcessId, ParentProcessId, Name]) => ({
      ProcessId,
      ParentProcessId,
      Name,
      CommandLine: `C:\\${Name}`,
    }));
    const table = parseWin32Processes(JSON.stringify(list));
    return findIdeProcess(table, pid, "win32");
  };

  test("is two below the topmost that still runs", () => {
    const processes = [
      [900, 880, "explorer.exe"],
      [1000, 900, "Code.exe"],
      [1100, 1000, "Code.exe"],
      [1200, 1100, "powershell.exe"],
      [1300, 1200, "node.exe"],
    ] as const;
    expect(find(processes, 1300)).toBe(1100);
  });

  test("is the topmost of a short line", () => {
    expect(
      find(
        [
          [900, 0, "WindowsTerminal.exe"],
          [901, 900, "node.exe"],
        ],
        901,
      ),
    ).toBe(900);
  });

  test("does not turn in circles where an id was used again", () => {
    expect(
      find(
        [
          [5, 6, "a.exe"],
          [6, 5, "b.exe"],
        ],
        5,
      ),
    ).toBeTypeOf("number");
  });

  test("is the CLI itself where PowerShell said nothing", () => {
    const table = parseWin32Processes("The term is not recognized");
    expect(findIdeProcess(table, 7, "win32")).toBe(7);
  });

  test("is read from a single object as from a list, and without what is hidden", () => {
    const table = parseWin32Processes(
      '{"ProcessId":4,"ParentProcessId":0,"Name":"System","CommandLine":null}',
    );
    expect([...table.values()]).toEqual([{ pid: 4, parentPid: 0, name: "System", command: "" }]);
  });
});

test("this process is found among those of this machine, with all above it", async () => {
  const lineage = lineageOf(await readProcessTable(), process.pid);
  expect(lineage.slice(0, 2).map(({ pid }) => pid)).toEqual([process.pid, process.ppid]);
});
