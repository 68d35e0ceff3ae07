;;; ide-companion-custom.el --- Options and faces of ide-companion  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What the user can set, except options that belong to a single file.

;;; Code:

(defgroup ide-companion nil
  "Emacs as the IDE of Gemini CLI, Qwen Code and other agent CLIs."
  :group 'tools)

(defcustom ide-companion-command '("ide-companion" "lsp")
  "The program that agents connect to, and its arguments."
  :type '(repeat string))

(defcustom ide-companion-exclude nil
  "Files that agents do not hear of, as patterns of a `.gitignore'.
They add to those with keys, passwords and tokens, which are never
shared; one that begins with `!' shares what another one keeps."
  :risky t
  :type '(repeat string))

(defcustom ide-companion-exclude-git-ignored nil
  "Whether agents do not hear of files that git ignores."
  :risky t
  :type 'boolean)

(defcustom ide-companion-agent-accept t
  "Whether agents may accept changes themselves, and so write files."
  :risky t
  :type 'boolean)

(defcustom ide-companion-diff-layout 'unified
  "How a proposal is shown.
`unified' is one window, with what is replaced between the lines
of the proposal; `side-by-side' is two, with the file on disk in
the first; `ediff' is an Ediff session, which starts when you go
to the proposal."
  :type '(choice (const :tag "In one window" unified)
                 (const :tag "In two windows" side-by-side)
                 (const :tag "By Ediff" ediff)))

(defcustom ide-companion-on-proposal 'show
  "What happens when a proposal comes.
`show' displays it in another window, without selecting that;
`select' goes there; `tell' only tells of it."
  :type '(choice (const :tag "Show it" show)
                 (const :tag "Go there" select)
                 (const :tag "Tell of it" tell)))

(defcustom ide-companion-display-action
  '((display-buffer-reuse-window
     display-buffer-pop-up-window
     display-buffer-use-some-window
     display-buffer-no-window)
    (inhibit-same-window . t)
    (allow-no-window . t))
  "Where a proposal is displayed, as `display-buffer' takes it.
Entries of `display-buffer-alist' have precedence."
  :risky t
  :type display-buffer--action-custom-type)

(defcustom ide-companion-terminal nil
  "The terminal in which `ide-companion-run' starts an agent.
When nil, the best one that is installed: Vterm, Eat, or else Term.
A function is called with the name of the buffer, and a list of a
program and its arguments; it returns the buffer of the terminal."
  :risky t
  :type '(choice (const :tag "The best one installed" nil)
                 (const vterm) (const eat) (const term) function))

(defcustom ide-companion-diff-opened-functions nil
  "Functions called with a proposal that has come.
Each gets a property list of :id, :agent, :path and :buffer."
  :type 'hook)

(defcustom ide-companion-diff-accepted-functions nil
  "Functions called with a proposal that you have accepted.
For the argument see `ide-companion-diff-opened-functions'."
  :type 'hook)

(defcustom ide-companion-diff-rejected-functions nil
  "Functions called with a proposal that you have rejected.
For the argument see `ide-companion-diff-opened-functions'."
  :type 'hook)

(defcustom ide-companion-diff-closed-functions nil
  "Functions called with a proposal that was decided elsewhere.
For the argument see `ide-companion-diff-opened-functions'."
  :type 'hook)

(defcustom ide-companion-status-functions nil
  "Functions called when who is connected, or what waits, has changed.
Each gets a property list of :port, :sessions and :diffs."
  :type 'hook)

(defface ide-companion-added
  '((((class color)) :inherit diff-added :extend t)
    (t :weight bold))
  "Lines that a proposal adds.")

(defface ide-companion-removed
  '((((class color)) :inherit diff-removed :extend t)
    (t :strike-through t))
  "Lines that a proposal removes.")

(defface ide-companion-refine-added '((t :inherit diff-refine-added))
  "What has changed in a line that a proposal adds.")

(defface ide-companion-refine-removed '((t :inherit diff-refine-removed))
  "What has changed in a line that a proposal removes.")

(provide 'ide-companion-custom)
;;; ide-companion-custom.el ends here
