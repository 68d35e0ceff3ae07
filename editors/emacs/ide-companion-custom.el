;;; ide-companion-custom.el --- Options and faces of ide-companion  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What the user can set, except options that belong to a single file.

;;; Code:

(defgroup ide-companion nil
  "Emacs as the IDE of agent CLIs."
  :group 'tools)

(defcustom ide-companion-command '("ide-companion" "lsp")
  "The program that agents connect to, and its arguments."
  :type '(repeat string))

(defcustom ide-companion-exclude nil
  "Files that agents do not receive, as patterns of a `.gitignore'.
Files with keys, passwords and tokens are never shared either; a
pattern that begins with `!' shares what another pattern excludes."
  :risky t
  :type '(repeat string))

(defcustom ide-companion-exclude-git-ignored nil
  "Whether agents do not receive files that git ignores."
  :risky t
  :type 'boolean)

(defcustom ide-companion-agent-accept t
  "Whether agents may accept their own changes, and so write files."
  :risky t
  :type 'boolean)

(defcustom ide-companion-diff-layout 'unified
  "How a proposal is shown.
`unified' is one window, with the replaced lines between the
lines of the proposal; `ediff' is an Ediff session in two windows,
with the file on disk in the first, which starts when you go to
the proposal."
  :type '(choice (const :tag "In one window" unified)
                 (const :tag "By Ediff" ediff)))

(defcustom ide-companion-on-proposal 'show
  "What happens when a proposal comes.
`show' displays it in another window, without selecting that;
`select' goes there; `message' only shows a message."
  :type '(choice (const :tag "Show it" show)
                 (const :tag "Go there" select)
                 (const :tag "Show a message" message)))

(defcustom ide-companion-display-action
  '((display-buffer-reuse-window
     display-buffer-pop-up-window
     display-buffer-use-some-window
     display-buffer-no-window)
    (inhibit-same-window . t)
    (allow-no-window . t))
  "Where a proposal is displayed: an action of `display-buffer'.
Entries of `display-buffer-alist' have precedence."
  :risky t
  :type display-buffer--action-custom-type)

(defcustom ide-companion-terminal nil
  "The terminal in which `ide-companion-run' starts an agent.
When nil, Vterm or Eat if it is installed, or else Term.
A function is called with the name of the buffer, and a list of a
program and its arguments; it returns the buffer of the terminal."
  :risky t
  :type '(choice (const :tag "Vterm, Eat or Term" nil)
                 (const vterm) (const eat) (const term) function))

(defcustom ide-companion-terminal-tmux nil
  "Whether agents run in tmux, which keeps them when Emacs ends.
The next `ide-companion-run' in the project shows them again."
  :risky t
  :type 'boolean)

(defcustom ide-companion-terminal-display-action nil
  "Where the terminal of an agent is displayed: an action of `display-buffer'.
Entries of `display-buffer-alist' have precedence."
  :risky t
  :type `(choice (const :tag "As Emacs displays other buffers" nil)
                 (const :tag "In a side window on the right"
                        ((display-buffer-in-side-window) (side . right) (window-width . 0.45)))
                 (const :tag "In a side window at the bottom"
                        ((display-buffer-in-side-window) (side . bottom) (window-height . 0.45)))
                 (const :tag "In a frame inside of the frame"
                        ((display-buffer-in-child-frame)
                         (child-frame-parameters . ((width . 0.8) (height . 0.8) (left . 0.5) (top . 0.5)
                                                    (internal-border-width . 1) (unsplittable . t)))))
                 ,display-buffer--action-custom-type))

(defcustom ide-companion-diff-opened-functions nil
  "Functions called with a proposal that has opened.
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
  "Functions called when connected agents or proposals have changed.
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

(defface ide-companion-comment '((t :inherit highlight))
  "Your comments on lines of a proposal.")

(provide 'ide-companion-custom)
;;; ide-companion-custom.el ends here
