;;; ide-companion.el --- Review what agent CLIs propose -*- lexical-binding: t; -*-

;; Author: The ide-companion authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience, processes
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Makes Emacs the IDE of Gemini CLI, Qwen Code and every other agent CLI
;; with an IDE mode: the agent knows which files are open, where point is
;; and what the region holds, and what it proposes opens here as a diff
;; that you edit, accept or reject.
;;
;; It needs the program (`npm install --global ide-companion') and, in your
;; init file,
;;
;;   (ide-companion-mode 1)
;;
;; Then start `gemini' or `qwen' in any terminal in the same project, or
;; here by M-x ide-companion-run.  In a proposal:
;;
;;   C-c C-c  C-x C-s   accept it, with your edits
;;   C-c C-k  C-x k     reject it
;;   C-c C-n  C-c C-p   next and previous change
;;   C-c C-r            revert the change at point
;;   C-c C-v            go to the next proposal that waits
;;
;; M-x ide-companion-edits has what you typed in a proposal that no file
;; holds.  M-x ide-companion-doctor tells what is missing, and
;; M-x customize-group RET ide-companion what can be changed.

;;; Code:

(eval-when-compile
  (require 'cl-lib)
  (require 'subr-x))

(declare-function jsonrpc-async-request "jsonrpc")
(declare-function jsonrpc-error "jsonrpc")
(declare-function jsonrpc-events-buffer "jsonrpc")
(declare-function jsonrpc-notify "jsonrpc")
(declare-function jsonrpc-request "jsonrpc")
(declare-function jsonrpc-running-p "jsonrpc")
(declare-function project-root "project")
(declare-function make-instance "eieio")
(declare-function slot-exists-p "eieio")


;;;; Options

(defgroup ide-companion nil
  "Emacs as the IDE of Gemini CLI, Qwen Code and other agent CLIs."
  :group 'tools)

(defcustom ide-companion-command '("ide-companion" "lsp")
  "The program that agents connect to, and its arguments."
  :type '(repeat string))

(defcustom ide-companion-roots-function #'ide-companion-project-roots
  "Function that returns the folders in which agents find this Emacs.
It gets no argument and returns a list of absolute names."
  :type 'function)

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

(defcustom ide-companion-selection-functions
  '(ide-companion-evil-selection
    ide-companion-rectangle-selection
    ide-companion-region-selection)
  "Functions that tell what is selected in the current buffer.
The first one that returns a string counts.  Called without
arguments, many times a second: they must be quick."
  :type 'hook)

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


;;;; What is told to the user

(defconst ide-companion--log-name "*ide-companion log*")
(defconst ide-companion--log-lines 500)

(defun ide-companion--log (text)
  "Add TEXT to the log.
No text of a file belongs there, and no token."
  (with-current-buffer (get-buffer-create ide-companion--log-name)
    (unless (derived-mode-p 'special-mode)
      (special-mode)
      (buffer-disable-undo))
    (let ((inhibit-read-only t)
          (stamp (format-time-string "%H:%M:%S ")))
      (save-excursion
        (goto-char (point-max))
        (dolist (line (split-string text "\n" t))
          (insert stamp line "\n"))
        (forward-line (- ide-companion--log-lines))
        (delete-region (point-min) (point))))))

(defun ide-companion--say (format &rest arguments)
  "Tell the user, in one line, what FORMAT and ARGUMENTS give."
  (let ((text (apply #'format format arguments)))
    (ide-companion--log text)
    (message "%s" (replace-regexp-in-string "[ \t]*\n[ \t]*" " " text))))

(defun ide-companion--those (predicate list)
  "The members of LIST for which PREDICATE is true."
  (delq nil (mapcar (lambda (member) (and (funcall predicate member) member)) list)))

(defun ide-companion--guarded (function &rest arguments)
  "Call FUNCTION with ARGUMENTS; log an error of it instead of raising it.
For hooks and timers, where an error would disturb the user's work."
  (condition-case failure
      (apply function arguments)
    (error
     (ide-companion--log (format "%s: %s" function (error-message-string failure)))
     nil)))

;;;###autoload
(defun ide-companion-log ()
  "Show what has happened."
  (interactive)
  (ide-companion--log "The log is shown.")
  (pop-to-buffer ide-companion--log-name)
  (goto-char (point-max)))


;;;; Texts, byte by byte

;; Line ends, a byte order mark and a missing last newline are part of a
;; text.  A buffer holds what is between them, and its coding system tells
;; the rest, as with a file.

(defun ide-companion--dos-p (text)
  "Whether every line of TEXT ends as in DOS.
What is mixed stays as it is, carriage returns and all."
  (and (string-search "\r\n" text)
       (not (string-match-p "\\(?:\\`\\|[^\r]\\)\n" text))))

(defun ide-companion--recode (text from to)
  "TEXT written with the coding system FROM and read again with TO."
  (decode-coding-string (encode-coding-string text from t) to t))

(defun ide-companion--put-text (text)
  "Make TEXT the contents of the current buffer, as if read from a file."
  (let* ((bom (string-prefix-p "\ufeff" text))
         (dos (ide-companion--dos-p text))
         (body (if bom (substring text 1) text))
         (inhibit-read-only t)
         (buffer-undo-list t))
    (setq buffer-file-coding-system
          (intern (concat (if bom "utf-8-with-signature" "utf-8") (if dos "-dos" "-unix"))))
    (erase-buffer)
    (insert (if dos (ide-companion--recode body 'utf-8-emacs-unix 'utf-8-emacs-dos) body))
    (goto-char (point-min))
    (set-buffer-modified-p nil)))

(defun ide-companion--get-text (buffer)
  "The text of BUFFER as it would be written to a file."
  (with-current-buffer buffer
    (let* ((body (save-restriction
                   (widen)
                   (buffer-substring-no-properties (point-min) (point-max))))
           (coding (or buffer-file-coding-system 'utf-8-unix))
           (dos (eq 1 (coding-system-eol-type coding))))
      (concat (and (eq t (coding-system-get coding :bom)) "\ufeff")
              (if dos (ide-companion--recode body 'utf-8-emacs-dos 'utf-8-emacs-unix) body)))))

(defun ide-companion--unicode (text)
  "TEXT without what JSON cannot hold: raw bytes and lone surrogates."
  (replace-regexp-in-string "[\ud800-\udfff\x110000-\x3fff7f\x3fff80-\x3fffff]" "\ufffd"
                            (string-to-multibyte text) t t))

(defun ide-companion--file-name (name)
  "The file NAME as agents know it: its bytes on disk, read as UTF-8."
  (let ((coding (or file-name-coding-system default-file-name-coding-system)))
    (ide-companion--unicode
     (if coding
         (ide-companion--recode (expand-file-name name) coding 'utf-8)
       (expand-file-name name)))))

(defun ide-companion--local-name (path)
  "PATH, which an agent has named, as a file of this machine.
Of `/ssh:HOST:/FILE' Emacs would ask that host."
  (if (file-remote-p path) (file-name-quote path t) path))

(defun ide-companion--buffer-of (path)
  "The buffer that visits the file that agents call PATH, or nil."
  (let ((coding (or file-name-coding-system default-file-name-coding-system)))
    (get-file-buffer (if coding (ide-companion--recode path 'utf-8 coding) path))))


;;;; Cursor and selection

(defconst ide-companion--selection-limit 16384
  "So many characters of a selection are read by agents.")

(defun ide-companion--cursor ()
  "Where point is, as agents count: from 1, in UTF-16 code units."
  (save-restriction
    (widen)
    (let* ((inhibit-field-text-motion t)
           (position (point))
           (start (line-beginning-position))
           (units (- position start)))
      (save-excursion
        (goto-char start)
        (while (re-search-forward "[\U00010000-\U0010ffff]" position t)
          (setq units (1+ units))))
      (list :line (line-number-at-pos position t) :character (1+ units)))))

(defun ide-companion--text-between (start end)
  "The text from START to END, or as much of it as is read by agents."
  (buffer-substring-no-properties
   start (min end (+ start ide-companion--selection-limit))))

(defun ide-companion-region-selection ()
  "The active region."
  (and (use-region-p)
       (ide-companion--text-between (region-beginning) (region-end))))

(defun ide-companion--rectangle-text (apply-on start end)
  "The lines of the rectangle from START to END, by APPLY-ON.
That is `apply-on-rectangle' or what works like it."
  (let ((size 0) lines)
    (catch 'enough
      (funcall apply-on
               (lambda (left right)
                 (let ((line (ide-companion--text-in-columns left right)))
                   (push line lines)
                   (setq size (+ size 1 (length line)))
                   (when (> size ide-companion--selection-limit)
                     (throw 'enough nil))))
               start end))
    (string-join (nreverse lines) "\n")))

(defun ide-companion--text-in-columns (left right)
  "The text of the current line between the columns LEFT and RIGHT."
  (let ((start (progn (move-to-column left) (point))))
    (move-to-column right)
    (buffer-substring-no-properties (min start (point)) (point))))

(defun ide-companion-rectangle-selection ()
  "The rectangle of `rectangle-mark-mode'."
  (and (bound-and-true-p rectangle-mark-mode)
       (region-active-p)
       (fboundp 'apply-on-rectangle)
       (ide-companion--rectangle-text #'apply-on-rectangle (region-beginning) (region-end))))

(declare-function evil-visual-state-p "evil-states")
(declare-function evil-visual-type "evil-states")
(declare-function evil-apply-on-rectangle "evil-common")
(defvar evil-visual-beginning)
(defvar evil-visual-end)

(defun ide-companion-evil-selection ()
  "The selection of Evil's visual state."
  (when (and (bound-and-true-p evil-local-mode) (evil-visual-state-p))
    (if (eq (evil-visual-type) 'block)
        (ide-companion--rectangle-text #'evil-apply-on-rectangle
                                       evil-visual-beginning evil-visual-end)
      (ide-companion--text-between (marker-position evil-visual-beginning)
                                   (marker-position evil-visual-end)))))

(defun ide-companion--selection ()
  "The selected text of the current buffer, or nil."
  (let ((text (run-hook-with-args-until-success 'ide-companion-selection-functions)))
    (and text (not (string-empty-p text)) (ide-companion--unicode text))))


;;;; What the user is looking at

;; Whoever moves on and on is looked at four times a second, from the hook;
;; a timer for every command would let Emacs display everything once more.
;; Where the movement ends is seen as soon as Emacs is idle.

(defconst ide-companion--interval 0.25
  "Seconds between two looks at a user who is moving.")

(defconst ide-companion--pause 0.05
  "Seconds until a movement has ended.
The program waits for 50 ms of quiet besides.")

(defconst ide-companion--most-files 12
  "So many files are told of, the latest ones; agents read ten.")

(defvar ide-companion--initialized nil "Whether the program has answered.")
(defvar ide-companion--libraries '(cl-lib project ert jsonrpc)
  "What has still to be loaded.
Not at the start of Emacs, and not all at once: the user may be typing.")

(defvar ide-companion--timer
  (let ((timer (timer-create)))
    (timer-set-function timer #'ide-companion--look)
    timer))
(defvar ide-companion--pending nil "Whether the timer runs.")
(defvar ide-companion--idle-timer nil "The timer that sees where a movement ends.")
(defvar ide-companion--looked-at 0 "When it was looked last, in seconds since 1970.")
(defvar ide-companion--moved nil "Whether a command has run since then.")
(defvar ide-companion--files-changed t "Whether buffers have come or gone.")
(defvar ide-companion--focus-changed t "Whether another window may have the focus.")
(defvar ide-companion--entries nil "For each open file, what is told of it: (BUFFER . PLIST).")
(defvar ide-companion--active nil "The file buffer that has, or had last, the focus.")
(defvar ide-companion--told nil "The context that was told last.")

(defvar-local ide-companion--focused-at nil
  "When this file was last focused, in milliseconds since 1970.")
(put 'ide-companion--focused-at 'permanent-local t)

(defun ide-companion--milliseconds (time)
  "The Lisp timestamp TIME in milliseconds since 1970."
  (truncate (* 1000 (float-time time))))

(defun ide-companion--file-buffer (buffer)
  "The buffer that visits BUFFER's file on this machine, or nil.
That of an indirect buffer is its base."
  (let* ((base (or (buffer-base-buffer buffer) buffer))
         (name (buffer-file-name base)))
    (and name
         (not (string-prefix-p " " (buffer-name base)))
         (not (file-remote-p name))
         base)))

(defun ide-companion--collect-files ()
  "Look at all buffers anew."
  (let (entries)
    (dolist (buffer (buffer-list))
      (when (eq buffer (ide-companion--file-buffer buffer))
        (with-current-buffer buffer
          (setq ide-companion--focused-at
                (or ide-companion--focused-at
                    ;; Of what was looked at before we were there, Emacs knows.
                    (if buffer-display-time
                        (ide-companion--milliseconds buffer-display-time)
                      0)))
          (push (list buffer :path (ide-companion--file-name buffer-file-name)
                      :focusedAt ide-companion--focused-at)
                entries))))
    (setq entries (sort entries #'ide-companion--later-focused-p)
          ide-companion--entries (butlast entries (- (length entries)
                                                     ide-companion--most-files)))))

(defun ide-companion--later-focused-p (one other)
  "Whether the entry ONE was focused after OTHER."
  (> (plist-get (cdr one) :focusedAt) (plist-get (cdr other) :focusedAt)))

(defun ide-companion--look-for-active ()
  "Find the file that has the focus.
While that is elsewhere, as in a terminal, a diff or the
minibuffer, it is the one before.  Return its window, if any."
  (let* ((window (or (minibuffer-selected-window) (selected-window)))
         (file (ide-companion--file-buffer (window-buffer window))))
    (when file
      (when (or ide-companion--focus-changed (not (eq file ide-companion--active)))
        (with-current-buffer file
          (setq ide-companion--focused-at (ide-companion--milliseconds nil)))
        (setq ide-companion--files-changed t))
      (setq ide-companion--active file))
    (setq ide-companion--focus-changed nil)
    (cond (file window)
          ((buffer-live-p ide-companion--active) (get-buffer-window ide-companion--active t)))))

(defun ide-companion--place (window)
  "Cursor and selection of the active file, which is in WINDOW if any."
  (with-current-buffer (if window (window-buffer window) ide-companion--active)
    (save-excursion
      (when window (goto-char (window-point window)))
      (let ((selection (ide-companion--selection)))
        (append (list :cursor (ide-companion--cursor))
                (and selection (list :selectedText selection)))))))

(defun ide-companion--context ()
  "What the user is looking at, as `companion/context' wants it."
  (let ((window (ide-companion--look-for-active)))
    (when ide-companion--files-changed
      (setq ide-companion--files-changed nil)
      (ide-companion--collect-files))
    (let ((active (assq ide-companion--active ide-companion--entries)))
      (append
       (list :files
             (vconcat (mapcar (lambda (entry)
                                (if (eq entry active)
                                    (append (cdr entry) (ide-companion--place window))
                                  (cdr entry)))
                              ide-companion--entries)))
       (and active (list :activePath (plist-get (cdr active) :path)))))))

(defun ide-companion--tell ()
  "Tell the program what the user is looking at, if that is new."
  (when (ide-companion--ready-p)
    (let ((context (ide-companion--context)))
      (unless (equal context ide-companion--told)
        (setq ide-companion--told context)
        (ide-companion--notify :companion/context context)))))

(defun ide-companion--look ()
  "Follow a movement, or a change of what is open."
  (setq ide-companion--pending nil
        ide-companion--moved nil
        ide-companion--looked-at (float-time))
  (if ide-companion--libraries
      (progn
        (require (pop ide-companion--libraries))
        (ide-companion--soon))
    (when ide-companion--files-changed
      (ide-companion--guarded #'ide-companion--follow-roots))
    (ide-companion--guarded #'ide-companion--tell)))

(defun ide-companion--soon ()
  "Look a little later."
  (unless ide-companion--pending
    (setq ide-companion--pending t)
    (timer-set-time ide-companion--timer (timer-relative-time nil ide-companion--pause))
    (timer-activate ide-companion--timer)))

(defun ide-companion--on-command ()
  "A command has run."
  (setq ide-companion--moved t)
  (when (and ide-companion--initialized
             (> (- (float-time) ide-companion--looked-at) ide-companion--interval))
    (ide-companion--look)))

(defun ide-companion--on-pause ()
  "Emacs is idle."
  (when ide-companion--moved
    (ide-companion--look)))

(defun ide-companion--on-files (&rest _)
  "A file may have been opened, saved, renamed or closed."
  (setq ide-companion--files-changed t)
  (ide-companion--soon))

(defun ide-companion--on-saved ()
  "A file was saved, and so may have come to be on disk."
  (setq ide-companion--told nil)
  (ide-companion--on-files))

(defun ide-companion--on-killed ()
  "A buffer is killed."
  (when buffer-file-name
    (ide-companion--on-files)))

(defun ide-companion--on-focus (&rest _)
  "Another window, or another frame, may have the focus."
  (setq ide-companion--focus-changed t)
  (ide-companion--on-files))

(defconst ide-companion--hooks
  '((post-command-hook . ide-companion--on-command)
    (window-selection-change-functions . ide-companion--on-focus)
    (window-buffer-change-functions . ide-companion--on-files)
    (find-file-hook . ide-companion--on-files)
    (after-save-hook . ide-companion--on-saved)
    (after-set-visited-file-name-hook . ide-companion--on-files)
    (kill-buffer-hook . ide-companion--on-killed)
    (post-command-hook . ide-companion--when-calm-soon)
    (kill-emacs-query-functions . ide-companion--ask-before-exit)
    (kill-emacs-hook . ide-companion--on-exit)))

(defun ide-companion--watch ()
  "Begin to look at what the user does."
  (pcase-dolist (`(,hook . ,function) ide-companion--hooks)
    (add-hook hook function))
  (add-function :after after-focus-change-function #'ide-companion--on-focus)
  (unless ide-companion--idle-timer
    (setq ide-companion--idle-timer
          (run-with-idle-timer ide-companion--pause t #'ide-companion--on-pause)))
  (ide-companion--on-focus))

(defun ide-companion--unwatch ()
  "Stop looking at what the user does."
  (pcase-dolist (`(,hook . ,function) ide-companion--hooks)
    (remove-hook hook function))
  (remove-function after-focus-change-function #'ide-companion--on-focus)
  (cancel-timer ide-companion--timer)
  (when ide-companion--idle-timer
    (cancel-timer ide-companion--idle-timer))
  (setq ide-companion--pending nil
        ide-companion--idle-timer nil))


;;;; The folders in which agents find this Emacs

(defvar ide-companion--roots nil "The folders that the program knows of.")
(defvar ide-companion--run-folders nil "Where agents were started from here.")

(defvar-local ide-companion--project nil
  "The folder of this buffer, and its project: (FOLDER . ROOT).")

(defun ide-companion--project-of (buffer)
  "The root of BUFFER's project, or nil."
  (with-current-buffer buffer
    (unless (equal (car ide-companion--project) default-directory)
      (let ((project (project-current nil default-directory)))
        (setq ide-companion--project
              (cons default-directory
                    (and project (ide-companion--folder (project-root project)))))))
    (cdr ide-companion--project)))

(defun ide-companion--folder (name)
  "The folder NAME as agents know it, or nil if it is on another machine."
  (unless (file-remote-p name)
    (ide-companion--file-name (directory-file-name (expand-file-name name)))))

(defun ide-companion--works-in-folder-p (buffer)
  "Whether BUFFER is of a folder: a file in it, its listing, a shell."
  (with-current-buffer buffer
    (or (ide-companion--file-buffer buffer)
        (derived-mode-p 'dired-mode 'comint-mode 'term-mode 'eshell-mode 'vterm-mode 'eat-mode))))

(defun ide-companion--wide-p (folder)
  "Whether FOLDER is the home of the user, or above it.
An agent in any project would take this Emacs for its IDE."
  (file-in-directory-p (expand-file-name "~/") folder))

(defun ide-companion-project-roots ()
  "The projects that are open; without any, the folders of the open files."
  (let (projects folders)
    (dolist (buffer (buffer-list))
      (when (and (not (file-remote-p (buffer-local-value 'default-directory buffer)))
                 (ide-companion--works-in-folder-p buffer))
        (let ((project (ide-companion--project-of buffer)))
          (cond (project (push project projects))
                ((ide-companion--file-buffer buffer)
                 (push (ide-companion--folder (buffer-local-value 'default-directory buffer))
                       folders))))))
    (let ((roots (delete-dups (nreverse projects))))
      (or roots
          (ide-companion--those (lambda (folder) (not (ide-companion--wide-p folder)))
                                (delete-dups (delq nil (nreverse folders))))))))

(defun ide-companion--current-roots ()
  "The folders that agents may work in now.
When nothing is open any more, those before."
  (let ((roots (append (mapcar #'ide-companion--folder (funcall ide-companion-roots-function))
                       ide-companion--run-folders)))
    (or (sort (delete-dups (delq nil roots)) #'string<)
        ide-companion--roots)))

(defun ide-companion--workspace-folders (roots)
  "ROOTS as LSP wants them."
  (vconcat (mapcar (lambda (root)
                     (list :uri (ide-companion--uri root)
                           :name (file-name-nondirectory root)))
                   roots)))

(defun ide-companion--folders-without (others roots)
  "Those of ROOTS that are none of OTHERS, as LSP wants them."
  (ide-companion--workspace-folders
   (ide-companion--those (lambda (root) (not (member root others))) roots)))

(defun ide-companion--uri (path)
  "The file URI of the absolute PATH."
  (concat "file://" (if (string-prefix-p "/" path) "" "/")
          (mapconcat (lambda (byte)
                       (if (string-match-p "[a-zA-Z0-9._~/-]" (string byte))
                           (string byte)
                         (format "%%%02X" byte)))
                     (encode-coding-string path 'utf-8) "")))


;;;; The program

;; One that has run for so long, in seconds, is not taken to die at once
;; when it is started again.
(defconst ide-companion--stable 60)
(defconst ide-companion--delays '(1 . 60) "The first wait and the longest, in seconds.")

(defvar ide-companion--connection nil "The JSON-RPC connection, or nil.")
(defvar ide-companion--process nil "The process of the connection.")
(defvar ide-companion--wanted nil "Whether the program is to run.")
(defvar ide-companion-mode)
(defvar ide-companion--proposals)
(defvar ide-companion--delay (car ide-companion--delays))
(defvar ide-companion--restart-timer nil)

(defun ide-companion--ready-p ()
  "Whether the program can be talked to."
  (and ide-companion--initialized
       ide-companion--connection
       (jsonrpc-running-p ide-companion--connection)))

(defun ide-companion--notify (method params)
  "Tell the program METHOD with PARAMS."
  (jsonrpc-notify ide-companion--connection method params))

(defun ide-companion--ask (method params on-answer)
  "Ask the program METHOD with PARAMS.
ON-ANSWER is called with the result and with the words of an error."
  (jsonrpc-async-request
   ide-companion--connection method params
   :timeout nil
   :success-fn (lambda (result) (ide-companion--guarded on-answer result nil))
   :error-fn (lambda (failure)
               (ide-companion--guarded on-answer nil (plist-get failure :message)))))

(defconst ide-companion--handlers
  '((companion/openDiff . ide-companion--open)
    (companion/closeDiff . ide-companion--close)
    (companion/readDiff . ide-companion--read)
    (companion/editsRecovered . ide-companion--recovered)
    (companion/openFile . ide-companion--open-file)
    (companion/diagnostics . ide-companion--diagnostics)
    (companion/status . ide-companion--set-status)
    (window/showMessage . ide-companion--show-message)
    (window/logMessage . ide-companion--log-message)
    (window/showDocument . ide-companion--show-document)))

(defun ide-companion--on-request (_connection method params)
  "Answer the request METHOD of the program, with PARAMS."
  (let ((handler (alist-get method ide-companion--handlers)))
    (unless handler
      (jsonrpc-error :code -32601 :message (format "unknown: %s" method)))
    (condition-case failure
        (funcall handler params)
      (error
       (ide-companion--log (format "%s: %s" method (error-message-string failure)))
       (jsonrpc-error :code -32603 :message (error-message-string failure))))))

(defun ide-companion--on-notification (_connection method params)
  "Take the notification METHOD of the program, with PARAMS."
  (let ((handler (alist-get method ide-companion--handlers)))
    (when handler
      (ide-companion--guarded handler params))))

(defun ide-companion--show-message (params)
  "`window/showMessage' with PARAMS."
  (ide-companion--say "%s" (plist-get params :message)))

(defun ide-companion--log-message (params)
  "`window/logMessage' with PARAMS."
  (ide-companion--log (plist-get params :message)))

(defun ide-companion--show-document (params)
  "`window/showDocument' with PARAMS: a link for the browser, if there is one."
  (let ((opened (and (eq t (plist-get params :external))
                     (or (display-graphic-p) (getenv "DISPLAY") (getenv "WAYLAND_DISPLAY"))
                     (ignore-errors (browse-url (plist-get params :uri)) t))))
    (list :success (if opened t :json-false))))

(defun ide-companion--position-of (line character)
  "The position of LINE and CHARACTER in this buffer, as agents count them."
  (save-restriction
    (widen)
    (save-excursion
      (goto-char (point-min))
      (forward-line (1- line))
      (let ((units 1))
        (while (and (< units character) (not (eolp)))
          (setq units (+ units (if (> (char-after) #xffff) 2 1)))
          (forward-char)))
      (point))))

(defun ide-companion--visit (path)
  "The buffer of the file that agents call PATH; nothing is asked for it."
  (or (ide-companion--buffer-of path)
      (let ((coding (or file-name-coding-system default-file-name-coding-system))
            (inhibit-interaction t))
        (find-file-noselect (if coding (ide-companion--recode path 'utf-8 coding) path) t))))

(defun ide-companion--open-file (params)
  "`companion/openFile' with PARAMS: show a file, and select no window for it."
  (unless (ide-companion--calm-p)
    (error "The user is in the middle of something"))
  (let* ((buffer (ide-companion--visit (ide-companion--local-name (plist-get params :path))))
         (window (display-buffer buffer '(nil (inhibit-same-window . nil)
                                              (reusable-frames . visible))))
         (line (plist-get params :line)))
    (unless window (error "There is no window for it"))
    (when line
      (let ((position (with-current-buffer buffer
                        (ide-companion--position-of line (or (plist-get params :character) 1)))))
        (set-window-point window position)
        (with-selected-window window
          (goto-char position)
          (recenter))))
    nil))

(declare-function flymake-diagnostics "flymake")
(declare-function flymake-diagnostic-beg "flymake")
(declare-function flymake-diagnostic-end "flymake")
(declare-function flymake-diagnostic-text "flymake")
(declare-function flymake-diagnostic-type "flymake")

(defun ide-companion--severity (type)
  "The severity of diagnostics of Flymake's TYPE."
  (pcase (get type 'flymake-category)
    ('flymake-error "error")
    ('flymake-warning "warning")
    (_ "info")))

(defun ide-companion--place-of (position)
  "Where POSITION of this buffer is, as agents count."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char position)
      (ide-companion--cursor))))

(defun ide-companion--buffer-diagnostics (buffer)
  "What Flymake knows of BUFFER, and language servers by it."
  (with-current-buffer buffer
    (let ((path (ide-companion--file-name buffer-file-name)))
      (mapcar (lambda (found)
                (let ((begin (ide-companion--place-of (flymake-diagnostic-beg found)))
                      (end (ide-companion--place-of (flymake-diagnostic-end found))))
                  (list :path path
                        :line (plist-get begin :line)
                        :character (plist-get begin :character)
                        :endLine (plist-get end :line)
                        :endCharacter (plist-get end :character)
                        :severity (ide-companion--severity (flymake-diagnostic-type found))
                        :message (ide-companion--unicode (flymake-diagnostic-text found)))))
              (flymake-diagnostics)))))

(defun ide-companion--diagnostics (params)
  "`companion/diagnostics' with PARAMS."
  (let* ((path (plist-get params :path))
         (buffers (if path
                      (list (ide-companion--buffer-of (ide-companion--local-name path)))
                    (buffer-list)))
         (known (ide-companion--those
                 (lambda (buffer)
                   (and buffer (buffer-file-name buffer)
                        (buffer-local-value 'flymake-mode buffer)))
                 (and (boundp 'flymake-mode) buffers))))
    (list :diagnostics (vconcat (apply #'append (mapcar #'ide-companion--buffer-diagnostics known))))))

(defun ide-companion--on-stderr (process text)
  "Log TEXT of PROCESS, line by line."
  (let* ((lines (split-string (concat (process-get process 'rest) text) "\n"))
         (complete (butlast lines)))
    (process-put process 'rest (car (last lines)))
    (mapc #'ide-companion--log complete)))

(defun ide-companion--start-process (folder)
  "Make the process of the program, in FOLDER."
  (let* ((default-directory (file-name-as-directory folder))
         (errors (make-pipe-process :name "ide-companion errors" :noquery t :coding 'utf-8
                                    :buffer (generate-new-buffer " *ide-companion errors*")
                                    :filter #'ide-companion--on-stderr
                                    :sentinel #'ignore)))
    (process-put errors 'rest "")
    ;; As in Emacs 30: a text of some megabytes would come in thousands of pieces, with a pause after each.
    (setq read-process-output-max (max read-process-output-max 65536))
    (condition-case failure
        (let* ((process-adaptive-read-buffering nil)
               (process (make-process :name "ide-companion" :command ide-companion-command
                                     :connection-type 'pipe :coding 'utf-8-emacs-unix
                                     :noquery t :stderr errors)))
          (process-put process 'errors errors)
          process)
      (error
       (kill-buffer (process-buffer errors))
       (signal (car failure) (cdr failure))))))

(defvar json-false)
(defvar json-null)
(defvar json-object-type)
(declare-function json-read "json")

(defun ide-companion--read-json (read)
  "Call READ with point at a message; where it fails, try in Lisp.
Before Emacs 30 it cannot take a text with a NUL."
  (let ((start (point)))
    (condition-case nil
        (funcall read)
      (error
       (require 'json)
       (goto-char start)
       (let ((json-object-type 'plist) (json-false :json-false) (json-null nil))
         (json-read))))))

(defun ide-companion--take-output (filter process output)
  "Call FILTER, that of jsonrpc, with the OUTPUT of PROCESS."
  (let ((read (symbol-function 'jsonrpc--json-read)))
    (cl-letf (((symbol-function 'jsonrpc--json-read)
               (lambda () (ide-companion--read-json read))))
      (funcall filter process output))))

(defun ide-companion--make-connection (process started-at)
  "The JSON-RPC connection with PROCESS, which was STARTED-AT."
  (let ((connection (ide-companion--new-connection process started-at)))
    (when (fboundp 'jsonrpc--json-read)
      (add-function :around (process-filter process) #'ide-companion--take-output))
    connection))

(defun ide-companion--new-connection (process started-at)
  "A JSON-RPC connection with PROCESS, which was STARTED-AT."
  (apply #'make-instance 'jsonrpc-process-connection
         :name "ide-companion" :process process
         :request-dispatcher #'ide-companion--on-request
         :notification-dispatcher #'ide-companion--on-notification
         :on-shutdown (lambda (connection)
                        (ide-companion--on-end connection process started-at))
         ;; The events would hold tokens, and the texts of files.
         (if (slot-exists-p 'jsonrpc-connection '-events-buffer-config)
             (list :events-buffer-config '(:size 0))
           (list :events-buffer-scrollback-size 0))))

(defun ide-companion--initialize-params (roots)
  "How we introduce this Emacs, with ROOTS open."
  (list :processId (emacs-pid)
        :clientInfo (list :name "Emacs" :version emacs-version)
        :rootUri nil
        :workspaceFolders (ide-companion--workspace-folders roots)
        :initializationOptions
        (list :exclude (vconcat ide-companion-exclude)
              :excludeGitIgnored (if ide-companion-exclude-git-ignored t :json-false)
              :agentAccept (if ide-companion-agent-accept t :json-false))
        :capabilities '(:window (:showDocument (:support t))
                        :experimental (:ideCompanion (:version 1 :openFile t :diagnostics t)))))

(defun ide-companion--remedy ()
  "What to do when the program cannot be started, or nil."
  (unless (executable-find (car ide-companion-command))
    (format (concat "There is no %s in `exec-path': npm install --global ide-companion, "
                    "or set `ide-companion-command'")
            (car ide-companion-command))))

(defun ide-companion--connect (roots)
  "Start the program and introduce ourselves, with ROOTS open."
  (condition-case failure
      (let ((remedy (ide-companion--remedy)))
        (when remedy (error "%s" remedy))
        (let ((process (ide-companion--start-process (car roots))))
          (setq ide-companion--roots roots
                ide-companion--process process
                ide-companion--connection (ide-companion--make-connection process (float-time))))
        (let ((connection ide-companion--connection))
          (ide-companion--ask :initialize (ide-companion--initialize-params roots)
                              (lambda (answer failure)
                                (ide-companion--on-initialized connection answer failure)))))
    (error
     (setq ide-companion--wanted nil)
     (ide-companion--update-lighter)
     (ide-companion--say "ide-companion cannot be started: %s. See M-x ide-companion-doctor"
                         (error-message-string failure)))))

(defun ide-companion--serves-plugins-p (answer)
  "Whether the program's ANSWER to `initialize' is one to a plugin."
  (plist-get (plist-get (plist-get answer :capabilities) :experimental) :ideCompanion))

(defun ide-companion--on-initialized (connection answer failure)
  "CONNECTION's program has given an ANSWER, or a FAILURE."
  (when (eq connection ide-companion--connection)
    (cond
     (failure
      (ide-companion--say "ide-companion: %s" failure))
     ((not (ide-companion--serves-plugins-p answer))
      (setq ide-companion--wanted nil)
      (ide-companion--say "%s is too old for this package: npm install --global ide-companion"
                          (car ide-companion-command))
      (delete-process ide-companion--process))
     (t
      (ide-companion--notify :initialized (make-hash-table))
      (setq ide-companion--initialized t
            ide-companion--told nil)
      (ide-companion--on-files)
      (ide-companion--look-for-edits)))))

(defun ide-companion--tidy (connection process)
  "Kill the buffers that CONNECTION and PROCESS had."
  (dolist (buffer (list (jsonrpc-events-buffer connection)
                        (process-buffer process)
                        (process-get process 'jsonrpc-stderr)
                        (process-buffer (process-get process 'errors))))
    (when (buffer-live-p buffer)
      (kill-buffer buffer))))

(defun ide-companion--on-end (connection process started-at)
  "CONNECTION has ended with PROCESS, which was STARTED-AT."
  (ide-companion--tidy connection process)
  (when (eq connection ide-companion--connection)
    (setq ide-companion--connection nil
          ide-companion--process nil
          ide-companion--initialized nil)
    (ide-companion--set-status nil)
    (let ((code (process-exit-status process))
          (agents (delete-dups (mapcar #'ide-companion--proposal-agent ide-companion--proposals))))
      (ide-companion--orphan)
      (ide-companion--log (format "the server has ended with %d" code))
      (when ide-companion--wanted
        (ide-companion--restart-later code (- (float-time) started-at) agents)))))

(defun ide-companion--restart-later (code ran &optional agents)
  "Start the program again, which has ended with CODE after it RAN some seconds.
AGENTS had proposals open."
  (when (> ran ide-companion--stable)
    (setq ide-companion--delay (car ide-companion--delays)))
  (ide-companion--say "ide-companion has ended with %d, starting it again in %d s%s"
                      code ide-companion--delay
                      (if agents
                          (format ".  If %s takes no answer in its terminal, press Ctrl-C twice there and start it again"
                                  (string-join agents " or "))
                        ""))
  (setq ide-companion--restart-timer
        (run-with-timer ide-companion--delay nil
                        (lambda ()
                          (setq ide-companion--restart-timer nil)
                          (ide-companion--on-files)))
        ide-companion--delay (min (* 2 ide-companion--delay) (cdr ide-companion--delays))))

(defun ide-companion--follow-roots ()
  "Start with the first folder, and tell the program of every other."
  (let ((roots (ide-companion--current-roots))
        (before ide-companion--roots))
    (cond
     ((null roots))
     ((ide-companion--ready-p)
      (unless (equal roots before)
        (setq ide-companion--roots roots)
        (ide-companion--notify
         :workspace/didChangeWorkspaceFolders
         (list :event (list :added (ide-companion--folders-without before roots)
                            :removed (ide-companion--folders-without roots before))))))
     ((and ide-companion--wanted (not ide-companion--connection) (not ide-companion--restart-timer))
      (ide-companion--connect roots)))))

;;;###autoload
(defun ide-companion-start ()
  "Start the program, which `ide-companion-mode' does with the first file."
  (interactive)
  (if (not ide-companion-mode)
      (ide-companion-mode 1)
    (ide-companion--stop-waiting)
    (setq ide-companion--wanted t)
    (ide-companion--on-files)))

(defun ide-companion--stop-waiting ()
  "Forget that the program is to be started later."
  (when ide-companion--restart-timer
    (cancel-timer ide-companion--restart-timer)
    (setq ide-companion--restart-timer nil))
  (setq ide-companion--delay (car ide-companion--delays)))

(defun ide-companion-stop ()
  "Stop the program until the next start."
  (interactive)
  (setq ide-companion--wanted nil)
  (ide-companion--stop-waiting)
  (when ide-companion--connection
    (if (not (ide-companion--ready-p))
        (delete-process ide-companion--process)
      (let ((connection ide-companion--connection))
        (ide-companion--ask :shutdown nil
                            (lambda (&rest _)
                              (when (jsonrpc-running-p connection)
                                (jsonrpc-notify connection :exit nil))))))))

(defun ide-companion--await-end (process seconds)
  "Wait until PROCESS has ended, SECONDS at most."
  (with-timeout (seconds)
    (while (process-live-p process)
      (accept-process-output process 0.05))))

(defun ide-companion--on-exit ()
  "Emacs ends: let the program tell its agents, for which Emacs would not wait."
  (when (ide-companion--ready-p)
    (let ((process ide-companion--process))
      (setq ide-companion--wanted nil)
      (ide-companion--send-drafts)
      (ide-companion--notify :exit nil)
      (ide-companion--await-end process 1))))

(defun ide-companion-restart ()
  "Stop the program and start it.  Agents connect again by `/ide enable'."
  (interactive)
  (let ((process ide-companion--process))
    (ide-companion-stop)
    (when process
      (ide-companion--await-end process 2)
      (when (process-live-p process) (delete-process process)))
    (ide-companion-start)))


;;;; What the program has told of itself

(defvar ide-companion--status nil "As `companion/status' has it; nil when nothing runs.")
(defvar ide-companion--variables nil "What our variables were before: (NAME . VALUE).")

(defvar ide-companion-lighter nil
  "What the mode line shows: who is connected, and how many proposals wait.")
(put 'ide-companion-lighter 'risky-local-variable t)

(defun ide-companion--connected ()
  "The names of the agents that are connected."
  (mapcar (lambda (session) (plist-get session :agent))
          (plist-get ide-companion--status :sessions)))

(defun ide-companion--waiting ()
  "How many proposals wait for a decision."
  (length (plist-get ide-companion--status :diffs)))

(defun ide-companion--paused-p ()
  "Whether sharing is paused."
  (eq t (plist-get ide-companion--status :paused)))

(defvar ide-companion--lighter-map
  (let ((map (make-sparse-keymap)))
    (define-key map [mode-line mouse-1] #'ide-companion-next-proposal)
    (define-key map [mode-line mouse-3] #'ide-companion-doctor)
    map))

(defun ide-companion--update-lighter ()
  "Set `ide-companion-lighter' anew."
  (let* ((names (string-join (ide-companion--connected) ", "))
         (waiting (ide-companion--waiting))
         (text (cond ((null ide-companion--status) "IDE:off")
                     ((string-empty-p names) "IDE")
                     ((zerop waiting) names)
                     (t (format "%s (%d)" names waiting))))
         (text (if (ide-companion--paused-p) (concat text " paused") text)))
    (setq ide-companion-lighter
          (list " " (propertize (string-replace "%" "%%" text)
                                'face (if (zerop waiting) nil 'mode-line-emphasis)
                                'mouse-face 'mode-line-highlight
                                'local-map ide-companion--lighter-map
                                'help-echo "mouse-1: next proposal\nmouse-3: what runs, and what is missing")))
    (force-mode-line-update t)))

(defun ide-companion-environment ()
  "The variables that lead an agent to this Emacs: (NAME . VALUE).
One of them holds a token: keep them out of logs."
  (let ((env (plist-get ide-companion--status :env)) variables)
    (while env
      (push (cons (substring (symbol-name (pop env)) 1) (pop env)) variables))
    variables))

(defun ide-companion--set-variables (variables)
  "Give VARIABLES to every program of this Emacs from now on.
Shells of Eshell, and buffers with an environment of their own, too."
  (let ((changes (append (ide-companion--those (lambda (old) (not (assoc (car old) variables)))
                                               ide-companion--variables)
                         variables)))
    (setq ide-companion--variables
          (mapcar (lambda (variable)
                    (or (assoc (car variable) ide-companion--variables)
                        (cons (car variable) (ide-companion--outer-value (car variable)))))
                  variables))
    (dolist (buffer (buffer-list))
      (when (local-variable-p 'process-environment buffer)
        (with-current-buffer buffer
          (setq process-environment
                (ide-companion--with-variables process-environment changes)))))
    ;; Whatever binds it while it waits for us must not take it away again.
    (set-default-toplevel-value
     'process-environment
     (ide-companion--with-variables (default-toplevel-value 'process-environment) changes))))

(defun ide-companion--outer-value (name)
  "The value of the variable NAME in the environment of Emacs, or nil."
  (let ((value (getenv-internal name (default-toplevel-value 'process-environment))))
    (and (stringp value) value)))

(defun ide-companion--with-variables (environment variables)
  "The list ENVIRONMENT with VARIABLES set in it."
  (let ((process-environment (copy-sequence environment)))
    (pcase-dolist (`(,name . ,value) variables)
      (setenv name value))
    process-environment))

(defun ide-companion--set-status (status)
  "`companion/status': STATUS is the whole present state, nil the end."
  (let ((was-paused (ide-companion--paused-p)))
    (setq ide-companion--status status)
    (when (and status (not (eq was-paused (ide-companion--paused-p))))
      (ide-companion--say (if was-paused "Agents are sent what you look at again"
                            "Agents are sent nothing of what you look at until M-x ide-companion-resume"))))
  (ide-companion--set-variables (ide-companion-environment))
  (ide-companion--update-lighter)
  (run-hook-with-args 'ide-companion-status-functions
                      (list :port (plist-get status :port)
                            :sessions (plist-get status :sessions)
                            :diffs (plist-get status :diffs))))

(defun ide-companion-pause ()
  "Send agents nothing of what you look at, until `ide-companion-resume'.
That holds for all companions of the folders that are open, in
other editors as well, and after a restart."
  (interactive)
  (ide-companion--switch-sharing "pause"))

(defun ide-companion-resume ()
  "Send agents what you look at again."
  (interactive)
  (ide-companion--switch-sharing "resume"))

(defun ide-companion--switch-sharing (word)
  "Run the command WORD of the program in each folder that is open."
  (unless (ide-companion--ready-p)
    (user-error "The companion is not running.  Start it by M-x ide-companion-start"))
  (dolist (root ide-companion--roots)
    (let ((default-directory (file-name-as-directory root)))
      (make-process :name "ide-companion sharing" :command (append (butlast ide-companion-command) (list word))
                    :connection-type 'pipe :noquery t
                    :filter (lambda (_ output) (ide-companion--log output))
                    :sentinel (lambda (process _)
                                (when (and (eq 'exit (process-status process))
                                           (/= 0 (process-exit-status process)))
                                  (ide-companion--say "Not done in %s: see M-x ide-companion-log" root)))))))

(defun ide-companion-status ()
  "Tell who is connected, and what waits."
  (interactive)
  (if (null ide-companion--status)
      (ide-companion--say "The companion is not running.  Start it by M-x ide-companion-start")
    (let ((names (ide-companion--connected)))
      (ide-companion--say "Port %d.  Connected: %s.  Waiting for you: %d.%s"
                          (plist-get ide-companion--status :port)
                          (if names (string-join names ", ") "nobody yet")
                          (ide-companion--waiting)
                          (if (ide-companion--paused-p) "  Sharing is paused." "")))))


;;;; Proposals

(cl-defstruct (ide-companion--proposal
               (:constructor ide-companion--make-proposal)
               (:copier nil))
  id agent path label original notes
  (buffer nil :documentation "Where the proposal is edited.")
  (base nil :documentation "The buffer of what it is compared with.")
  (hunks nil :documentation "As `ide-companion--hunks' has them.")
  (ediff nil :documentation "The control buffer of an Ediff session.")
  (deciding nil :documentation "Whether a decision is on its way.")
  (orphan nil :documentation "Whether nobody waits for it any more."))

(defvar ide-companion--proposals nil "Those that wait for a decision, oldest first.")

(defvar-local ide-companion--proposal nil "The proposal of this buffer.")
(put 'ide-companion--proposal 'permanent-local t)

(defun ide-companion--event (hook proposal)
  "Run HOOK for PROPOSAL."
  (ide-companion--guarded
   #'run-hook-with-args hook
   (list :id (ide-companion--proposal-id proposal)
         :agent (ide-companion--proposal-agent proposal)
         :path (ide-companion--proposal-path proposal)
         :buffer (ide-companion--proposal-buffer proposal))))

(defun ide-companion--existing-folder (path)
  "The nearest folder above PATH that exists."
  (let ((folder (file-name-directory path)))
    (while (not (or (file-directory-p folder) (equal folder "/")))
      (setq folder (file-name-directory (directory-file-name folder))))
    folder))

(defun ide-companion--set-mode (path)
  "Highlight the current buffer as the file PATH would be.
The mode's hooks do not run: what they start is meant for files."
  (let ((buffer-file-name path)
        (enable-local-variables nil))
    (delay-mode-hooks
      (ide-companion--guarded #'set-auto-mode)))
  (ide-companion--guarded #'font-lock-mode 1))

(defun ide-companion--show-direction-controls ()
  "Let the current buffer show by what the reading direction is turned.
Emacs obeys such characters, and shows nothing of them."
  (let ((table (copy-sequence glyphless-char-display)))
    (dolist (range '((#x202a . #x202e) (#x2066 . #x2069)))
      (set-char-table-range table range 'hex-code))
    (setq-local glyphless-char-display table)))

(defun ide-companion--new-buffer (proposal name text)
  "A buffer of PROPOSAL called NAME, with TEXT in it."
  (let ((path (ide-companion--proposal-path proposal)))
    (with-current-buffer (generate-new-buffer name)
      (setq default-directory (ide-companion--existing-folder path))
      (ide-companion--put-text text)
      (ide-companion--set-mode path)
      (ide-companion--show-direction-controls)
      ;; Nothing may add to the text what the user does not see.
      (setq-local require-final-newline nil
                  mode-require-final-newline nil
                  before-save-hook nil
                  ide-companion--proposal proposal)
      (current-buffer))))

(defun ide-companion--create-buffers (proposal text)
  "Make the buffers of PROPOSAL, which is TEXT."
  (let* ((name (format "%s: %s" (ide-companion--proposal-agent proposal)
                       (ide-companion--proposal-label proposal)))
         (base (ide-companion--new-buffer proposal (format "*%s on disk*" name)
                                          (or (ide-companion--proposal-original proposal) "")))
         (buffer (ide-companion--new-buffer proposal (format "*%s*" name) text)))
    (setf (ide-companion--proposal-base proposal) base
          (ide-companion--proposal-buffer proposal) buffer)
    (with-current-buffer base
      ;; Out of the user's lists; not earlier, because hidden buffers are not highlighted.
      (rename-buffer (concat " " (buffer-name)) t))
    (with-current-buffer base
      (setq buffer-read-only t)
      (ide-companion-proposal-mode 1))
    (with-current-buffer buffer
      (add-hook 'write-contents-functions #'ide-companion--write nil t)
      (add-hook 'kill-buffer-hook #'ide-companion--on-proposal-killed nil t)
      (add-hook 'after-change-functions #'ide-companion--on-edit nil t)
      (ide-companion-proposal-mode 1))
    (ide-companion--draw proposal)))

(defun ide-companion--announce (proposal)
  "Tell the user of PROPOSAL, and how to get there if it is not shown."
  (let ((text (format "%s proposes %s" (ide-companion--proposal-agent proposal)
                      (ide-companion--proposal-label proposal))))
    (if (or (eq ide-companion-on-proposal 'tell)
            (ide-companion--those #'ide-companion--shown-p (remq proposal ide-companion--proposals)))
        (ide-companion--say "%s; it waits: %s" text
                            (substitute-command-keys "\\[ide-companion-next-proposal]"))
      (ide-companion--say "%s" text))))

(defun ide-companion--open (params)
  "`companion/openDiff' with PARAMS."
  (let ((proposal (ide-companion--make-proposal
                   :id (plist-get params :id)
                   :agent (plist-get params :agent)
                   :path (ide-companion--local-name (plist-get params :filePath))
                   :label (plist-get params :label)
                   :original (plist-get params :original)
                   :notes (append (plist-get params :notes) nil))))
    (let ((gc-cons-threshold (max gc-cons-threshold (* 64 1024 1024)))) ; not in between
      (ide-companion--create-buffers proposal (plist-get params :newContent)))
    (setq ide-companion--proposals (append ide-companion--proposals (list proposal)))
    (ide-companion--announce proposal)
    (force-mode-line-update t)
    (ide-companion--when-calm #'ide-companion--present proposal)
    (ide-companion--event 'ide-companion-diff-opened-functions proposal)
    nil))

(defun ide-companion--expect (params)
  "The proposal that PARAMS name."
  (let ((id (plist-get params :id)))
    (or (car (ide-companion--those
              (lambda (proposal) (equal id (ide-companion--proposal-id proposal)))
              ide-companion--proposals))
        (error "No diff %s is open" id))))

(defun ide-companion--proposal-text (proposal)
  "The text of PROPOSAL as it stands, the user's edits included."
  (ide-companion--unicode (ide-companion--get-text (ide-companion--proposal-buffer proposal))))

(defun ide-companion--close (params)
  "`companion/closeDiff' with PARAMS."
  (let* ((proposal (ide-companion--expect params))
         (text (ide-companion--proposal-text proposal)))
    (ide-companion--end proposal)
    (ide-companion--event 'ide-companion-diff-closed-functions proposal)
    (list :content text)))

(defun ide-companion--read (params)
  "`companion/readDiff' with PARAMS."
  (list :content (ide-companion--proposal-text (ide-companion--expect params))))

(defun ide-companion--keep-text (path label text sentence)
  "Keep TEXT for the file PATH, called LABEL, in a buffer.
SENTENCE is told to the user."
  (with-current-buffer (generate-new-buffer (format "*kept: %s*" label))
    (setq default-directory (ide-companion--existing-folder path))
    (ide-companion--put-text text)
    (ide-companion--set-mode path)
    (ide-companion--show-direction-controls)
    (set-buffer-modified-p t)
    (setq-local buffer-offer-save t)
    (ide-companion--say "%s They are in buffer %s." sentence (buffer-name))))

(defconst ide-companion--orphaned "The companion that asked has ended."
  "Why a decision does not count any more.")

(defun ide-companion--keep-edits (proposal sentence)
  "Tell SENTENCE, and keep what the user has typed into PROPOSAL."
  (let ((buffer (ide-companion--proposal-buffer proposal)))
    (if (and (buffer-live-p buffer) (buffer-modified-p buffer))
        (ide-companion--keep-text (ide-companion--proposal-path proposal)
                                  (ide-companion--proposal-label proposal)
                                  (ide-companion--get-text buffer)
                                  (concat sentence " Your edits are kept."))
      (ide-companion--say "%s" sentence))))

(defun ide-companion--forget (proposal)
  "PROPOSAL no longer waits."
  (setq ide-companion--proposals (delq proposal ide-companion--proposals)))

(defun ide-companion--take-away (proposal)
  "Close what was opened for PROPOSAL, and nothing else."
  (ide-companion--forget proposal)
  (ide-companion--leave proposal)
  (dolist (buffer (list (ide-companion--proposal-buffer proposal)
                        (ide-companion--proposal-base proposal)))
    (when (buffer-live-p buffer)
      (kill-buffer buffer)))
  (ide-companion--present-next))

(defun ide-companion--on-result (proposal method result failure)
  "The program has given its RESULT on METHOD for PROPOSAL, or a FAILURE."
  (setf (ide-companion--proposal-deciding proposal) nil)
  (let ((taken (eq t (plist-get result :taken)))
        (reason (or failure (plist-get result :reason) "The decision does not count."))
        (label (ide-companion--proposal-label proposal)))
    (pcase (cons taken method)
      ('(t . :companion/diffAccepted)
       (ide-companion--reload-when-written proposal)
       (ide-companion--end proposal)
       (ide-companion--say "Accepted: %s." label)
       (ide-companion--event 'ide-companion-diff-accepted-functions proposal))
      ('(t . :companion/diffRejected)
       (ide-companion--keep-edits proposal (format "Rejected: %s." label))
       (ide-companion--end proposal)
       (ide-companion--event 'ide-companion-diff-rejected-functions proposal))
      ('(nil . :companion/diffRejected) ; it was decided elsewhere
       (ide-companion--keep-edits proposal reason)
       (ide-companion--end proposal))
      (_ (ide-companion--say "%s" reason)))))

(defun ide-companion--end (proposal)
  "PROPOSAL is decided: take it away when the user can spare its window."
  (ide-companion--forget proposal)
  (ide-companion--when-calm #'ide-companion--take-away proposal))

(defun ide-companion--decide (proposal method)
  "Tell the program that the user has decided PROPOSAL by METHOD."
  (cond
   ((ide-companion--proposal-deciding proposal))
   ((not (memq proposal ide-companion--proposals))
    (user-error "This change has already been decided"))
   ((and (ide-companion--proposal-orphan proposal) (eq method :companion/diffRejected))
    (ide-companion--keep-edits proposal ide-companion--orphaned)
    (ide-companion--take-away proposal))
   ((or (ide-companion--proposal-orphan proposal) (not (ide-companion--ready-p)))
    (user-error "The companion is not running: nobody waits for this"))
   (t
    (setf (ide-companion--proposal-deciding proposal) t)
    (ide-companion--ask method
                        (append (list :id (ide-companion--proposal-id proposal))
                                (and (eq method :companion/diffAccepted)
                                     (list :content (ide-companion--proposal-text proposal))))
                        (lambda (result failure)
                          (ide-companion--on-result proposal method result failure))))))

(defun ide-companion--write ()
  "Accept the proposal of this buffer, instead of writing a file."
  (ide-companion--decide ide-companion--proposal :companion/diffAccepted)
  t)

(defun ide-companion--on-proposal-killed ()
  "The buffer of a proposal is killed: that rejects it."
  (let ((proposal ide-companion--proposal))
    (when (memq proposal ide-companion--proposals)
      (cond
       ((ide-companion--proposal-deciding proposal))
       ((or (ide-companion--proposal-orphan proposal) (not (ide-companion--ready-p)))
        (ide-companion--keep-edits proposal ide-companion--orphaned))
       (t
        (when (buffer-modified-p)
          (ide-companion--keep-edits proposal (format "Rejected: %s."
                                                      (ide-companion--proposal-label proposal))))
        (ide-companion--decide proposal :companion/diffRejected)))
      (ide-companion--forget proposal)
      (ide-companion--leave proposal)
      (let ((base (ide-companion--proposal-base proposal)))
        (when (buffer-live-p base) (kill-buffer base)))
      (ide-companion--when-calm #'ide-companion--present-next))))
(put 'ide-companion--on-proposal-killed 'permanent-local-hook t)

(defun ide-companion--orphan ()
  "The program is gone: nobody waits any more.
What the user has edited stays to be looked at."
  (dolist (proposal (copy-sequence ide-companion--proposals))
    (setf (ide-companion--proposal-deciding proposal) nil) ; the answer will not come
    (if (buffer-modified-p (ide-companion--proposal-buffer proposal))
        (setf (ide-companion--proposal-orphan proposal) t)
      (ide-companion--end proposal)))
  (force-mode-line-update t))

(defun ide-companion--ask-before-exit ()
  "Whether Emacs may exit although proposals wait."
  (or (null ide-companion--proposals)
      (yes-or-no-p
       (format "%s for your decision; exit anyway? "
               (let ((labels (mapcar #'ide-companion--proposal-label ide-companion--proposals)))
                 (if (cdr labels)
                     (format "%d proposals wait" (length labels))
                   (format "A proposal for %s waits" (car labels))))))))

(defun ide-companion--current ()
  "The proposal that is meant: of this buffer, else one in sight, else the oldest."
  (or ide-companion--proposal
      (car (ide-companion--those
            (lambda (proposal)
              (get-buffer-window (ide-companion--proposal-buffer proposal)))
            ide-companion--proposals))
      (car ide-companion--proposals)
      (user-error "No proposal waits for your decision")))

(defun ide-companion-accept ()
  "Accept a proposal, with your edits: the agent then writes the file.
It is that of the current buffer, else one in sight, else the oldest."
  (interactive)
  (ide-companion--decide (ide-companion--current) :companion/diffAccepted))

(defun ide-companion-reject ()
  "Reject a proposal.
It is that of the current buffer, else one in sight, else the oldest."
  (interactive)
  (ide-companion--decide (ide-companion--current) :companion/diffRejected))


;;;; The file after it was written

(defconst ide-companion--look-every 0.1 "Seconds.")
(defconst ide-companion--looks 150 "How often.")

(defun ide-companion--reload-when-written (proposal)
  "Let the buffer of PROPOSAL's file follow as soon as its agent has written it.
One with unsaved edits is left to its user, who is told."
  (let ((buffer (ide-companion--buffer-of (ide-companion--proposal-path proposal)))
        (agent (ide-companion--proposal-agent proposal)))
    (when buffer
      (ide-companion--look-at-file buffer agent ide-companion--looks))))

(defun ide-companion--look-at-file (buffer agent looks)
  "Revert BUFFER once AGENT has written its file.
There are so many LOOKS left until that is given up."
  (cond
   ((or (zerop looks) (not (buffer-live-p buffer))))
   ((verify-visited-file-modtime buffer)
    (run-with-timer ide-companion--look-every nil
                    #'ide-companion--look-at-file buffer agent (1- looks)))
   ((buffer-modified-p buffer)
    (ide-companion--say (concat "%s has written %s; your unsaved edits are not in it.  "
                                "M-x ediff-current-file compares.")
                        agent (buffer-name buffer)))
   (t
    (with-current-buffer buffer
      (ide-companion--guarded #'revert-buffer t t t)))))


;;;; Changes

;; A hunk is (BASE-START BASE-COUNT START COUNT): lines of what is on disk
;; and of the proposal, counted from 1; of nothing, START is the line
;; before it.

(defun ide-companion--lines (buffer)
  "How many lines BUFFER has; what is behind the last newline is one."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (count-lines (point-min) (point-max)))))

(defun ide-companion--run-diff (old new)
  "What the program diff prints of the texts OLD and NEW; nil without it."
  (let ((program (or (bound-and-true-p diff-command) "diff")))
    (when (executable-find program)
      (let ((file (make-temp-file "ide-companion-"))
            (default-directory temporary-file-directory)
            (coding-system-for-write 'utf-8-emacs-unix)
            (coding-system-for-read 'utf-8-emacs-unix)
            (process-environment (cons "LC_ALL=C" process-environment)))
        (unwind-protect
            (with-temp-buffer
              (write-region old nil file nil 'silent)
              (when (memq (call-process-region new nil program nil t nil "-a" file "-") '(0 1))
                (buffer-string)))
          (delete-file file))))))

(defconst ide-companion--diff-head
  (let ((lines "\\([0-9]+\\)\\(?:,\\([0-9]+\\)\\)?"))
    (concat "^" lines "\\([acd]\\)" lines "$"))
  "What diff prints of a change before its lines, as `3,4c5'.")

(defun ide-companion--parse-diff (text)
  "The hunks in TEXT, which diff has printed."
  (let ((start 0) hunks)
    (while (string-match ide-companion--diff-head text start)
      (setq start (match-end 0))
      (let* ((number (lambda (group)
                       (and (match-string group text)
                            (string-to-number (match-string group text)))))
             (old (funcall number 1)) (old-end (or (funcall number 2) old))
             (new (funcall number 4)) (new-end (or (funcall number 5) new))
             (kind (match-string 3 text)))
        (push (list old (if (equal kind "a") 0 (1+ (- old-end old)))
                    new (if (equal kind "d") 0 (1+ (- new-end new))))
              hunks)))
    (nreverse hunks)))

(defun ide-companion--hunks (base buffer)
  "What differs in the texts of BASE and BUFFER, as a list."
  (let* ((text (lambda (from)
                 (with-current-buffer from
                   (save-restriction
                     (widen)
                     (buffer-substring-no-properties (point-min) (point-max))))))
         (old (funcall text base))
         (new (funcall text buffer))
         (lines (ide-companion--lines buffer))
         (base-lines (ide-companion--lines base)))
    (cond
     ((equal old new) nil)
     ((string-empty-p old) (list (list 0 0 1 lines)))
     ((string-empty-p new) (list (list 1 base-lines 0 0)))
     (t
      (let ((printed (ide-companion--run-diff old new)))
        (if printed
            (ide-companion--parse-diff printed)
          (list (list 1 base-lines 1 lines))))))))

(defun ide-companion--line-position (line)
  "Where LINE of the current buffer begins; its end if it has no such line."
  (save-restriction
    (widen)
    (save-excursion
      (goto-char (point-min))
      (forward-line (1- line))
      (point))))

(defun ide-companion--lines-region (start count)
  "The region of COUNT lines from the line START: (BEGIN . END)."
  (let ((begin (ide-companion--line-position (if (zerop count) (1+ start) start))))
    (cons begin (if (zerop count) begin (ide-companion--line-position (+ start count))))))

(defun ide-companion--lines-text (buffer start count)
  "The text of COUNT lines of BUFFER from the line START, highlighted."
  (with-current-buffer buffer
    (pcase-let ((`(,begin . ,end) (ide-companion--lines-region start count)))
      (ide-companion--guarded #'font-lock-ensure begin end)
      (buffer-substring begin end))))


;;;; Drawing

(defun ide-companion--overlay (begin end &rest properties)
  "An overlay of ours from BEGIN to END with PROPERTIES."
  (let ((overlay (make-overlay begin end)))
    (overlay-put overlay 'ide-companion t)
    (while properties
      (overlay-put overlay (pop properties) (pop properties)))
    overlay))

(defun ide-companion--tint (face)
  "FACE without its foreground: the colours of the language stay."
  (let ((background (face-background face nil t)))
    (if (and (stringp background) (color-defined-p background))
        (list :background background :extend t)
      face)))

(defun ide-companion--clear (buffer)
  "Take our overlays out of BUFFER."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (remove-overlays (point-min) (point-max) 'ide-companion t))))

(defun ide-companion--changed-part (old new)
  "What differs in the lines OLD and NEW: (START OLD-END NEW-END), or nil.
That is nil when hardly anything is common to them."
  (let* ((most (min (length old) (length new)))
         (order (compare-strings old nil nil new nil nil))
         (start (if (eq t order) most (1- (abs order))))
         (tail 0))
    (while (and (< tail (- most start))
                (eq (aref old (- (length old) tail 1)) (aref new (- (length new) tail 1))))
      (setq tail (1+ tail)))
    (when (> (* 3 (+ start tail)) most)
      (list start (- (length old) tail) (- (length new) tail)))))

(defun ide-companion--refinements (removed added)
  "What differs in each pair of lines of the texts REMOVED and ADDED.
A list of (START OLD-END NEW-END OLD-OFFSET NEW-OFFSET)."
  (let ((old (split-string removed "\n")) (new (split-string added "\n"))
        (old-offset 0) (new-offset 0) found)
    (when (and (not (string-empty-p removed)) (= (length old) (length new)))
      (while old
        (let ((part (ide-companion--changed-part (car old) (car new))))
          (when part (push (append part (list old-offset new-offset)) found)))
        (setq old-offset (+ old-offset 1 (length (pop old)))
              new-offset (+ new-offset 1 (length (pop new))))))
    found))

(defun ide-companion--removed-string (text refinements end-p)
  "TEXT as it stands between the lines of the proposal that lacks it.
REFINEMENTS tell which parts of it differ; END-P means that it
stands behind a last line without a newline."
  (let ((shown (copy-sequence text)))
    (pcase-dolist (`(,start ,old-end ,_ ,offset ,_) refinements)
      (add-face-text-property (+ offset start) (+ offset old-end)
                              'ide-companion-refine-removed nil shown))
    (setq shown (cond (end-p (concat "\n" (string-remove-suffix "\n" shown)))
                      ((string-suffix-p "\n" shown) shown)
                      (t (concat shown "\n"))))
    (add-face-text-property 0 (length shown) (ide-companion--tint 'ide-companion-removed) t shown)
    shown))

(defun ide-companion--draw-added (begin end refinements)
  "Highlight the added text from BEGIN to END, and its REFINEMENTS."
  (when (< begin end)
    (ide-companion--overlay begin end 'face (ide-companion--tint 'ide-companion-added) 'evaporate t)
    (pcase-dolist (`(,start ,_ ,new-end ,_ ,offset) refinements)
      (ide-companion--overlay (+ begin offset start) (+ begin offset new-end)
                              'face 'ide-companion-refine-added 'evaporate t 'priority 1))))

(defun ide-companion--draw-hunk (proposal hunk)
  "Draw HUNK into the buffer of PROPOSAL, in one window."
  (pcase-let* ((`(,base-start ,base-count ,start ,count) hunk)
               (removed (ide-companion--lines-text (ide-companion--proposal-base proposal)
                                                   base-start base-count))
               (`(,begin . ,end) (ide-companion--lines-region start count))
               (refinements (ide-companion--refinements
                             removed (buffer-substring-no-properties begin end))))
    (unless (string-empty-p removed)
      (let ((end-p (and (= begin (point-max)) (> begin (point-min)) (/= (char-before begin) ?\n))))
        (ide-companion--overlay begin begin 'before-string
                                (ide-companion--removed-string removed refinements end-p))))
    (ide-companion--draw-added begin end refinements)))

(defun ide-companion--fill (position lines)
  "Leave LINES empty lines at POSITION, so that both sides stay level."
  (when (> lines 0)
    (ide-companion--overlay position position 'before-string (make-string lines ?\n))))

(defun ide-companion--draw-sides (proposal hunk)
  "Draw HUNK into both buffers of PROPOSAL."
  (pcase-let* ((`(,base-start ,base-count ,start ,count) hunk)
               (base (ide-companion--proposal-base proposal))
               (removed (ide-companion--lines-text base base-start base-count))
               (`(,begin . ,end) (ide-companion--lines-region start count))
               (refinements (ide-companion--refinements
                             removed (buffer-substring-no-properties begin end))))
    (ide-companion--draw-added begin end refinements)
    (ide-companion--fill end (- base-count count))
    (with-current-buffer base
      (pcase-let ((`(,base-begin . ,base-end) (ide-companion--lines-region base-start base-count)))
        (when (< base-begin base-end)
          (ide-companion--overlay base-begin base-end
                                  'face (ide-companion--tint 'ide-companion-removed))
          (pcase-dolist (`(,from ,old-end ,_ ,offset ,_) refinements)
            (ide-companion--overlay (+ base-begin offset from) (+ base-begin offset old-end)
                                    'face 'ide-companion-refine-removed 'priority 1)))
        (ide-companion--fill base-end (- count base-count))))))

(defun ide-companion--draw (proposal)
  "Compare PROPOSAL with what is on disk, and draw the difference."
  (let ((buffer (ide-companion--proposal-buffer proposal))
        (base (ide-companion--proposal-base proposal)))
    (when (and (buffer-live-p buffer) (buffer-live-p base))
      (setf (ide-companion--proposal-hunks proposal) (ide-companion--hunks base buffer))
      (ide-companion--clear buffer)
      (ide-companion--clear base)
      (with-current-buffer buffer
        (save-restriction
          (widen)
          (dolist (hunk (ide-companion--proposal-hunks proposal))
            (pcase ide-companion-diff-layout
              ('unified (ide-companion--draw-hunk proposal hunk))
              ('side-by-side (ide-companion--draw-sides proposal hunk)))))))))

(defvar-local ide-companion--drawing nil "The timer that draws again after an edit.")

(defun ide-companion--on-edit (&rest _)
  "The user edits a proposal: save that, and draw it again when it has paused."
  (ide-companion--draft-soon)
  (when ide-companion--drawing (cancel-timer ide-companion--drawing))
  (setq ide-companion--drawing
        (run-with-idle-timer 0.15 nil #'ide-companion--guarded
                             #'ide-companion--draw ide-companion--proposal)))
(put 'ide-companion--on-edit 'permanent-local-hook t)

(defvar-local ide-companion--drafting nil "The timer that sends what was typed.")

(defun ide-companion--draft-soon ()
  "Let the program write what the user types in this buffer, for after a crash."
  (unless ide-companion--drafting
    (setq ide-companion--drafting
          ;; To send a megabyte takes a while.
          (run-with-timer (if (< (buffer-size) 1000000) 0.25 1) nil #'ide-companion--guarded
                          #'ide-companion--send-draft (current-buffer)))))

(defun ide-companion--send-draft (buffer)
  "Send the text of the proposal in BUFFER, if it waits to be sent."
  (when (and (buffer-live-p buffer) (buffer-local-value 'ide-companion--drafting buffer))
    (with-current-buffer buffer
      (cancel-timer ide-companion--drafting)
      (setq ide-companion--drafting nil)
      (when (and (memq ide-companion--proposal ide-companion--proposals)
                 (not (ide-companion--proposal-orphan ide-companion--proposal))
                 (ide-companion--ready-p))
        (ide-companion--notify
         :companion/draft
         (list :id (ide-companion--proposal-id ide-companion--proposal)
               :content (ide-companion--proposal-text ide-companion--proposal)))))))

(defun ide-companion--send-drafts ()
  "Send what was typed in proposals and was not sent yet."
  (dolist (proposal ide-companion--proposals)
    (ide-companion--guarded #'ide-companion--send-draft (ide-companion--proposal-buffer proposal))))

(defun ide-companion--hunk-at-point (proposal)
  "The change of PROPOSAL at point, or nil."
  (let ((line (line-number-at-pos (point) t)))
    (car (ide-companion--those
          (lambda (hunk)
            (pcase-let ((`(,_ ,_ ,start ,count) hunk))
              (if (zerop count)
                  (memq line (list start (1+ start)))
                (and (>= line start) (< line (+ start count))))))
          (ide-companion--proposal-hunks proposal)))))

(defun ide-companion--here ()
  "The proposal of the current buffer, drawn as it stands."
  (let ((proposal (or ide-companion--proposal (user-error "This is no proposal"))))
    (unless (eq (current-buffer) (ide-companion--proposal-buffer proposal))
      (user-error "This is what is on disk: change the proposal"))
    (ide-companion--draw proposal)
    proposal))

(defun ide-companion-revert-change ()
  "Let the change at point be what is on disk."
  (interactive)
  (let* ((proposal (ide-companion--here))
         (hunk (or (ide-companion--hunk-at-point proposal)
                   (user-error "There is no change here"))))
    (pcase-let* ((`(,base-start ,base-count ,start ,count) hunk)
                 (`(,begin . ,end) (ide-companion--lines-region start count))
                 (old (substring-no-properties
                       (ide-companion--lines-text (ide-companion--proposal-base proposal)
                                                  base-start base-count))))
      (goto-char begin)
      (delete-region begin end)
      (insert old)
      (goto-char begin))
    (ide-companion--draw proposal)))

(defun ide-companion--hunk-position (hunk)
  "Where HUNK begins in the current buffer."
  (car (ide-companion--lines-region (nth 2 hunk) (nth 3 hunk))))

(defun ide-companion-next-change (&optional count)
  "Go to the next change, or with COUNT further; backwards when negative."
  (interactive "p")
  (let* ((proposal (ide-companion--here))
         (positions (mapcar #'ide-companion--hunk-position
                            (ide-companion--proposal-hunks proposal)))
         (count (or count 1))
         (beyond (if (< count 0)
                     (ide-companion--those (lambda (at) (< at (point))) (nreverse positions))
                   (ide-companion--those (lambda (at) (> at (point))) positions))))
    (goto-char (or (nth (1- (abs count)) beyond)
                   (user-error "No further change")))))

(defun ide-companion-previous-change (&optional count)
  "Go to the previous change, or with COUNT further back."
  (interactive "p")
  (ide-companion-next-change (- (or count 1))))


;;;; The buffers of a proposal

(defvar ide-companion-proposal-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'ide-companion-accept)
    (define-key map [remap save-buffer] #'ide-companion-accept)
    (define-key map (kbd "C-c C-k") #'ide-companion-reject)
    (define-key map (kbd "C-c C-n") #'ide-companion-next-change)
    (define-key map (kbd "C-c C-p") #'ide-companion-previous-change)
    (define-key map (kbd "C-c C-r") #'ide-companion-revert-change)
    (define-key map (kbd "C-c C-v") #'ide-companion-next-proposal)
    (define-key map (kbd "C-c C-e") #'ide-companion-ediff)
    map)
  "Keys in a proposal.")

(define-minor-mode ide-companion-proposal-mode
  "Keys of a proposal; on in its buffers only."
  :lighter nil
  (when ide-companion-proposal-mode
    (setq header-line-format '(:eval (ide-companion--header)))
    ;; What stands between the lines must not stop point.
    (setq-local line-move-visual nil)
    (add-hook 'window-scroll-functions #'ide-companion--on-scroll nil t)))
(put 'ide-companion-proposal-mode 'permanent-local t)

(defun ide-companion--keys (command)
  "The keys of COMMAND in a proposal, for people."
  (propertize (substitute-command-keys (format "\\[%s]" command)) 'face 'help-key-binding))

(defun ide-companion--notes (proposal)
  "What the user is to know of PROPOSAL."
  (let ((buffer (ide-companion--buffer-of (ide-companion--proposal-path proposal)))
        (notes (ide-companion--proposal-notes proposal)))
    (string-join
     (if (and buffer (buffer-modified-p buffer))
         (append notes '("Your unsaved edits are not in this comparison."))
       notes)
     " ")))

(defun ide-companion--place-in-line (proposal)
  "Which of several proposals PROPOSAL is, and the key that leads to the next."
  (let ((count (length ide-companion--proposals)))
    (if (< count 2) ""
      (format ", %s: next (%d of %d)" (ide-companion--keys 'ide-companion-next-proposal)
              (- (1+ count) (length (memq proposal ide-companion--proposals))) count))))

(defun ide-companion--header ()
  "The line above a proposal, or above what is on disk."
  (let* ((proposal ide-companion--proposal)
         (label (ide-companion--proposal-label proposal))
         (agent (ide-companion--proposal-agent proposal))
         (escape (lambda (text) (replace-regexp-in-string "%" "%%" text t t))))
    (cond
     ((not (eq (current-buffer) (ide-companion--proposal-buffer proposal)))
      (funcall escape (format " %s on disk  %s" label (ide-companion--notes proposal))))
     ((ide-companion--proposal-orphan proposal)
      (propertize " The companion has ended, nobody waits for this any more" 'face 'warning))
     (t
      ;; Keys first: what comes last may be cut.
      (concat " " (ide-companion--keys 'ide-companion-accept) " accepts, "
              (ide-companion--keys 'ide-companion-reject) " rejects"
              (ide-companion--place-in-line proposal)
              (propertize (funcall escape (format "  %s proposes %s" agent label)) 'face 'bold)
              (if (eq ide-companion-diff-layout 'side-by-side) ""
                (funcall escape (concat "  " (ide-companion--notes proposal)))))))))


;;;; Windows

(defvar ide-companion--later nil
  "What waits for a calm moment: (FUNCTION . ARGUMENTS), oldest first.")

(defun ide-companion--calm-p ()
  "Whether the user can spare a window.
Not in the minibuffer, in a recursive edit, in a search or within
a command; nor without a frame that anybody sees."
  (and (null this-command)
       (zerop (recursion-depth))
       (not (buffer-local-value 'isearch-mode (window-buffer)))
       (not (and (daemonp) (eq (selected-frame) terminal-frame)))))

(defun ide-companion--when-calm (function &rest arguments)
  "Call FUNCTION with ARGUMENTS as soon as the user can spare a window."
  (setq ide-companion--later (append ide-companion--later (list (cons function arguments))))
  (ide-companion--when-calm-soon))

(defun ide-companion--when-calm-soon ()
  "Do what waits, when the present command is over."
  (when ide-companion--later
    (run-with-timer 0 nil #'ide-companion--do-later)))

(defun ide-companion--do-later ()
  "Do what waits, if the moment is calm."
  (while (and ide-companion--later (ide-companion--calm-p))
    (let ((call (pop ide-companion--later)))
      (apply #'ide-companion--guarded call))))

(defun ide-companion--shown-p (proposal)
  "Whether PROPOSAL is in sight."
  (get-buffer-window (ide-companion--proposal-buffer proposal) t))

(defun ide-companion--present (proposal)
  "Show PROPOSAL that has come, unless another one is in sight."
  (when (and (memq proposal ide-companion--proposals)
             (not (eq ide-companion-on-proposal 'tell)))
    (cond
     ((eq ide-companion-on-proposal 'select)
      (ide-companion--enter proposal))
     ((eq ide-companion-diff-layout 'ediff))
     ((null (ide-companion--those #'ide-companion--shown-p ide-companion--proposals))
      (ide-companion--display proposal)))))

(defun ide-companion--present-next ()
  "Show the oldest proposal, unless one is in sight."
  (when (and ide-companion--proposals (eq ide-companion-on-proposal 'show))
    (ide-companion--present (car ide-companion--proposals))))

;; A window of ours remembers by its parameter `ide-companion' what to do
;; with it afterwards: `delete' it, or show (BUFFER START POINT) again.

(defun ide-companion--review-window ()
  "The window in which a proposal is shown by us, or nil."
  (car (ide-companion--those
        (lambda (window)
          (and (window-parameter window 'ide-companion)
               (buffer-local-value 'ide-companion--proposal (window-buffer window))))
        (window-list-1 nil 'no-minibuffer 'visible))))

(defun ide-companion--pop-up (buffer)
  "Display BUFFER in a window that is not selected, and return that, or nil."
  (let ((window (display-buffer buffer ide-companion-display-action)))
    (when window
      (pcase-let ((`(,type ,quad . ,_) (window-parameter window 'quit-restore)))
        (set-window-parameter window 'ide-companion
                              (if (and (eq type 'other) (consp quad)) quad 'delete))))
    window))

(defun ide-companion--display (proposal)
  "Display PROPOSAL in a window that is not selected, and return that, or nil."
  (let ((buffer (ide-companion--proposal-buffer proposal)))
    (or (get-buffer-window buffer 'visible)
        (let ((window (ide-companion--review-window)))
          (if window
              (set-window-buffer window buffer)
            (setq window (ide-companion--pop-up buffer)))
          (when window
            (ide-companion--go-to-first-change proposal window)
            (when (eq ide-companion-diff-layout 'side-by-side)
              (ide-companion--display-base proposal window)))
          window))))

(defun ide-companion--go-to-first-change (proposal window)
  "Let WINDOW show where PROPOSAL begins to differ."
  (let ((hunk (car (ide-companion--proposal-hunks proposal))))
    (with-selected-window window
      (goto-char (if hunk (ide-companion--hunk-position hunk) (point-min)))
      ;; What was replaced stands above it, and is not counted.
      (recenter (if hunk 2 0)))))

(defun ide-companion--display-base (proposal window)
  "Display what is on disk beside WINDOW, the one of PROPOSAL."
  (let ((beside (or (window-parameter window 'ide-companion-base)
                    (ignore-errors ; too small to be split
                      (split-window window nil (if (>= (window-width window) 100) 'left 'above))))))
    (when (window-live-p beside)
      (set-window-parameter window 'ide-companion-base beside)
      (set-window-buffer beside (ide-companion--proposal-base proposal))
      (ide-companion--scroll-along window beside))))

(defvar ide-companion--from nil "The window from which the user has gone to a proposal.")

(defun ide-companion--enter (proposal)
  "Go to PROPOSAL."
  (unless (buffer-local-value 'ide-companion--proposal (window-buffer))
    (setq ide-companion--from (selected-window)))
  (if (eq ide-companion-diff-layout 'ediff)
      (ide-companion--start-ediff proposal)
    (let ((window (or (ide-companion--display proposal)
                      (progn (switch-to-buffer (ide-companion--proposal-buffer proposal))
                             (selected-window)))))
      (select-frame-set-input-focus (window-frame window))
      (select-window window))))

(defun ide-companion-next-proposal ()
  "Go to the oldest proposal; from one, to the next."
  (interactive)
  (let ((rest (cdr (memq ide-companion--proposal ide-companion--proposals))))
    (ide-companion--enter (or (car rest)
                              (car ide-companion--proposals)
                              (user-error "No proposal waits for your decision")))))

(defun ide-companion--give-back (window)
  "Let WINDOW be what it was before it showed a proposal."
  (let ((before (window-parameter window 'ide-companion))
        (base (window-parameter window 'ide-companion-base)))
    (set-window-parameter window 'ide-companion nil)
    (set-window-parameter window 'ide-companion-base nil)
    (when (and (window-live-p base)
               (buffer-local-value 'ide-companion--proposal (window-buffer base)))
      (delete-window base))
    (pcase before
      ((and `(,buffer ,start ,point . ,_) (guard (buffer-live-p buffer)))
       (set-window-buffer-start-and-point window buffer start point))
      ('delete
       (pcase (window-deletable-p window)
         ('frame (delete-frame (window-frame window)))
         ('t (delete-window window)))))))

(defun ide-companion--leave (proposal)
  "Close the windows that were opened for PROPOSAL.
Who was in one is sent back to where they came from."
  (ide-companion--quit-ediff proposal)
  (let ((was-inside (buffer-local-value 'ide-companion--proposal (window-buffer)))
        (selected (selected-window)))
    (dolist (window (get-buffer-window-list (ide-companion--proposal-buffer proposal) nil t))
      (ide-companion--give-back window))
    (cond
     ((not was-inside) (when (window-live-p selected) (select-window selected 'norecord)))
     ((eq was-inside proposal)
      (when (window-live-p ide-companion--from) (select-window ide-companion--from))
      (setq ide-companion--from nil)))))

(defun ide-companion--other-line (line hunks from-base)
  "The line beside LINE, across HUNKS; FROM-BASE means that LINE is on disk."
  (let ((other line))
    (pcase-dolist (`(,base-start ,base-count ,start ,count) hunks)
      (let ((here (if from-base base-start start))
            (here-count (if from-base base-count count))
            (there-count (if from-base count base-count)))
        (when (>= line (+ here (max here-count 1)))
          (setq other (+ other (- there-count here-count))))))
    (max 1 other)))

(defun ide-companion--scroll-along (window other)
  "Scroll OTHER to the lines beside those in WINDOW."
  (let* ((buffer (window-buffer window))
         (proposal (buffer-local-value 'ide-companion--proposal buffer))
         (line (with-current-buffer buffer (line-number-at-pos (window-start window) t)))
         (beside (ide-companion--other-line line (ide-companion--proposal-hunks proposal)
                                            (eq buffer (ide-companion--proposal-base proposal))))
         (start (with-current-buffer (window-buffer other) (ide-companion--line-position beside))))
    (unless (= start (window-start other))
      (set-window-start other start)
      (unless (pos-visible-in-window-p (window-point other) other)
        (set-window-point other start)))))

(defun ide-companion--on-scroll (window _start)
  "Scroll what is beside WINDOW, which has scrolled."
  (when (eq window (selected-window))
    (let ((beside (or (window-parameter window 'ide-companion-base)
                      (car (ide-companion--those
                            (lambda (other)
                              (eq window (window-parameter other 'ide-companion-base)))
                            (window-list))))))
      (when (and (window-live-p beside)
                 (buffer-local-value 'ide-companion--proposal (window-buffer beside)))
        (ide-companion--scroll-along window beside)))))


;;;; Ediff

(declare-function ediff-really-quit "ediff-util")
(defvar ediff-keep-variants)
(defvar ediff-quit-hook)

(defun ide-companion-ediff ()
  "Compare a proposal with what is on disk by Ediff.
Ending the session asks for your decision."
  (interactive)
  (ide-companion--start-ediff (ide-companion--current)))

(defun ide-companion--start-ediff (proposal)
  "Start an Ediff session for PROPOSAL."
  (if (buffer-live-p (ide-companion--proposal-ediff proposal))
      (pop-to-buffer (ide-companion--proposal-ediff proposal))
    (let ((configuration (current-window-configuration)))
      (ide-companion--clear (ide-companion--proposal-buffer proposal))
      (ide-companion--clear (ide-companion--proposal-base proposal))
      (ediff-buffers
       (ide-companion--proposal-base proposal) (ide-companion--proposal-buffer proposal)
       (list (lambda ()
               (setf (ide-companion--proposal-ediff proposal) (current-buffer))
               (setq ide-companion--proposal proposal)
               (local-set-key (kbd "C-c C-c") #'ide-companion-accept)
               (local-set-key (kbd "C-c C-k") #'ide-companion-reject)
               (add-hook 'ediff-quit-hook
                         (lambda () (ide-companion--on-ediff-quit proposal configuration))
                         90 t)))))))

(defun ide-companion--on-ediff-quit (proposal configuration)
  "The Ediff session of PROPOSAL has ended; before it, CONFIGURATION was there."
  (set-window-configuration configuration)
  (when (ide-companion--proposal-ediff proposal)
    (setf (ide-companion--proposal-ediff proposal) nil)
    (ide-companion--draw proposal)
    (pcase (car (read-multiple-choice
                 (format "%s proposes %s" (ide-companion--proposal-agent proposal)
                         (ide-companion--proposal-label proposal))
                 '((?a "accept" "Accept it as it is now")
                   (?r "reject" "Reject it")
                   (?l "later" "Decide later"))))
      (?a (ide-companion--decide proposal :companion/diffAccepted))
      (?r (ide-companion--decide proposal :companion/diffRejected)))))

(defun ide-companion--quit-ediff (proposal)
  "End the Ediff session of PROPOSAL, if any, without a question."
  (let ((control (ide-companion--proposal-ediff proposal)))
    (setf (ide-companion--proposal-ediff proposal) nil)
    (when (buffer-live-p control)
      (with-current-buffer control
        (let ((ediff-keep-variants t))
          (ediff-really-quit nil))))))


;;;; Recovered edits

;; What the user typed in a proposal, and its file does not hold: the
;; program has it on disk until the user discards it, or the file holds it.

(defun ide-companion--recovered (params)
  "`companion/editsRecovered' with PARAMS: tell the way to them."
  (ide-companion--say "Your edits of %s are not in the file: %s  M-x ide-companion-edits has them"
                      (plist-get params :label) (plist-get params :reason)))

(defun ide-companion--look-for-edits ()
  "Tell the user of recovered edits that belong to the folders that are open."
  (ide-companion--ask :companion/edits (make-hash-table)
                      (lambda (answer _)
                        (ide-companion--tell-of-edits (append (plist-get answer :edits) nil)))))

(defun ide-companion--tell-of-edits (list)
  "Tell the user how many of LIST belong to the folders that are open."
  (let ((own (ide-companion--those
              (lambda (edits)
                (let ((path (plist-get edits :filePath)))
                  (ide-companion--those (lambda (root) (string-prefix-p (file-name-as-directory root) path))
                                        ide-companion--roots)))
              list)))
    (when own
      (ide-companion--say "Your edits of %s are not in %s: M-x ide-companion-edits has them"
                          (if (cdr own) (format "%d proposals" (length own)) (plist-get (car own) :label))
                          (if (cdr own) "their files" "the file")))))

(defvar ide-companion-edits-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'ide-companion-edits-diff)
    (define-key map "e" #'ide-companion-edits-ediff)
    (define-key map "r" #'ide-companion-edits-restore)
    (define-key map "D" #'ide-companion-edits-discard)
    map)
  "Keys in the list of recovered edits.")

(define-derived-mode ide-companion-edits-mode tabulated-list-mode "Recovered Edits"
  "The edits of proposals that no file holds."
  (setq tabulated-list-format [("File" 20 t) ("When" 11 t) ("Why" 42 t) ("Agent" 0 t)]
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (ide-companion-edits)))
  (tabulated-list-init-header))

;;;###autoload
(defun ide-companion-edits ()
  "List what you typed in proposals and their files do not hold.
There you compare it with the file, restore it or discard it."
  (interactive)
  (let ((list (append (plist-get (ide-companion--fetch :companion/edits (make-hash-table)) :edits) nil))
        (buffer (get-buffer-create "*ide-companion edits*")))
    (with-current-buffer buffer
      (unless (derived-mode-p 'ide-companion-edits-mode) (ide-companion-edits-mode))
      (setq tabulated-list-entries (mapcar #'ide-companion--edits-entry list))
      (tabulated-list-print t))
    (cond
     (list
      (pop-to-buffer buffer)
      (ide-companion--say "RET compares with the file, e by Ediff, r restores, D discards"))
     (t
      (ide-companion--say "There are no recovered edits")
      (when (get-buffer-window buffer) (quit-windows-on buffer t))))))

(defun ide-companion--fetch (method params)
  "What the program answers to METHOD with PARAMS; it is waited for."
  (unless (ide-companion--ready-p)
    (user-error "The companion is not running.  Start it by M-x ide-companion-start"))
  (condition-case failure
      (jsonrpc-request ide-companion--connection method params :timeout 5)
    (jsonrpc-error
     (user-error "%s" (or (alist-get 'jsonrpc-error-message (ide-companion--those #'consp (cdr failure)))
                          (error-message-string failure))))))

(defun ide-companion--edits-entry (edits)
  "EDITS as a line of the list."
  (list edits (vector (plist-get edits :label)
                      (format-time-string "%m-%d %R" (/ (plist-get edits :at) 1000))
                      (plist-get edits :reason)
                      (plist-get edits :agent))))

(defun ide-companion--edits-here ()
  "The recovered edits at point."
  (or (tabulated-list-get-id) (user-error "There are no recovered edits here")))

(defun ide-companion--edits-buffer (edits)
  "A buffer with the text of EDITS."
  (let ((path (ide-companion--local-name (plist-get edits :filePath)))
        (found (ide-companion--fetch :companion/readEdits (list :id (plist-get edits :id)))))
    (with-current-buffer (get-buffer-create (format "*edits: %s*" (plist-get edits :label)))
      (setq default-directory (ide-companion--existing-folder path))
      (ide-companion--put-text (plist-get found :content))
      (ide-companion--set-mode path)
      (ide-companion--show-direction-controls)
      (current-buffer))))

(defun ide-companion--edits-file (edits)
  "The buffer of the file that EDITS are for."
  (ide-companion--visit (ide-companion--local-name (plist-get edits :filePath))))

(defun ide-companion-edits-diff ()
  "Show how the edits at point differ from their file."
  (interactive)
  (let ((edits (ide-companion--edits-here)))
    (diff-buffers (ide-companion--edits-file edits) (ide-companion--edits-buffer edits))))

(defun ide-companion-edits-ediff ()
  "Compare the edits at point with their file by Ediff."
  (interactive)
  (let ((edits (ide-companion--edits-here)))
    (ediff-buffers (ide-companion--edits-file edits) (ide-companion--edits-buffer edits))))

(defun ide-companion-edits-restore ()
  "Put the edits at point into the buffer of their file, which you then save.
They leave the list when the file holds them."
  (interactive)
  (let* ((edits (ide-companion--edits-here))
         (file (ide-companion--edits-file edits)))
    (when (or (not (buffer-modified-p file))
              (y-or-n-p (format "%s has unsaved edits; replace them? " (buffer-name file))))
      (let* ((buffer (ide-companion--edits-buffer edits))
             (coding (buffer-local-value 'buffer-file-coding-system buffer)))
        (pop-to-buffer file)
        (barf-if-buffer-read-only)
        (setq buffer-file-coding-system coding)
        (replace-buffer-contents buffer 1)
        (set-buffer-modified-p t)
        (kill-buffer buffer)
        (ide-companion--say "Restored: save %s to keep it, undo to go back" (buffer-name file))))))

(defun ide-companion-edits-discard ()
  "Forget the edits at point for good."
  (interactive)
  (let ((edits (ide-companion--edits-here)))
    (when (yes-or-no-p (format "Discard your edits of %s for good? " (plist-get edits :label)))
      (ide-companion--fetch :companion/discardEdits (list :id (plist-get edits :id)))
      (ide-companion-edits))))


;;;; Agents in terminals

(declare-function eat-make "eat")
(declare-function term-char-mode "term")
(declare-function vterm-mode "vterm")
(defvar vterm-kill-buffer-on-exit)
(defvar vterm-shell)

(defvar ide-companion--latest nil "The terminal that was opened last for an agent.")

(defun ide-companion--run-in-term (name command)
  "Run COMMAND in a terminal of Term called NAME."
  (let ((buffer (apply #'make-term (substring name 1 -1) (car command) nil (cdr command))))
    (with-current-buffer buffer
      (term-char-mode))
    (pop-to-buffer buffer)
    buffer))

(defun ide-companion--run-in-eat (name command)
  "Run COMMAND in a terminal of Eat called NAME."
  (let ((buffer (apply #'eat-make (substring name 1 -1) (car command) nil (cdr command))))
    (pop-to-buffer buffer)
    buffer))

(defun ide-companion--run-in-vterm (name command)
  "Run COMMAND in a terminal of Vterm called NAME."
  (let ((vterm-shell (mapconcat #'shell-quote-argument command " "))
        (buffer (get-buffer-create name)))
    (pop-to-buffer buffer)
    (vterm-mode)
    ;; What an agent says at its end is worth reading.
    (setq-local vterm-kill-buffer-on-exit nil)
    buffer))

(defun ide-companion--terminal-function ()
  "The function that opens a terminal."
  (pcase ide-companion-terminal
    ('vterm #'ide-companion--run-in-vterm)
    ('eat #'ide-companion--run-in-eat)
    ('term #'ide-companion--run-in-term)
    ('nil (cond ((fboundp 'vterm) #'ide-companion--run-in-vterm)
                ((fboundp 'eat) #'ide-companion--run-in-eat)
                (t #'ide-companion--run-in-term)))
    (function function)))

(defun ide-companion--run-now (agent arguments folder)
  "Start AGENT with ARGUMENTS in a terminal in FOLDER."
  (let ((default-directory (file-name-as-directory folder))
        (process-environment (append (mapcar (lambda (variable)
                                               (format "%s=%s" (car variable) (cdr variable)))
                                             (ide-companion-environment))
                                     process-environment))
        ;; The same program as the server, with another word.
        (command (append (butlast ide-companion-command) (list "run" agent "--") arguments)))
    (setq ide-companion--latest
          (funcall (ide-companion--terminal-function)
                   (generate-new-buffer-name (format "*%s*" agent)) command))))

(defun ide-companion--run-when-ready (&rest action)
  "Do ACTION, a function and its arguments, when terminals can get the variables."
  (let (wait)
    (setq wait (lambda (status)
                 (when (plist-get status :port)
                   (remove-hook 'ide-companion-status-functions wait)
                   (apply #'run-with-timer 0 nil action))))
    (add-hook 'ide-companion-status-functions wait)))

(defun ide-companion--roots-above (folder)
  "The folders known to the program in which FOLDER lies."
  (ide-companion--those (lambda (root) (file-in-directory-p folder root))
                        ide-companion--roots))

(defun ide-companion--run-folder ()
  "The folder in which an agent is started from the current buffer."
  (or (and (not (file-remote-p default-directory))
           (ide-companion--project-of (current-buffer)))
      (ide-companion--folder default-directory)
      (user-error "%s is not on this machine" default-directory)))

;;;###autoload
(defun ide-companion-run (agent &optional arguments)
  "Start AGENT, as `gemini' or `qwen', in a terminal of this Emacs.
It runs in the project of the current buffer.  With a prefix
argument, ask for ARGUMENTS, a list of strings."
  (interactive
   (list (completing-read "Agent: " '("gemini" "qwen") nil nil nil nil "gemini")
         (and current-prefix-arg (split-string-and-unquote (read-string "Arguments: ")))))
  (let ((folder (ide-companion--run-folder)))
    (if (and ide-companion--status
             (ide-companion--roots-above folder))
        (ide-companion--run-now agent arguments folder)
      (add-to-list 'ide-companion--run-folders folder)
      (ide-companion--run-when-ready #'ide-companion--run-now agent arguments folder)
      (ide-companion-start))))

(defun ide-companion--reference (path folder first last)
  "How agents take the lines FIRST to LAST of PATH, in FOLDER."
  (let* ((prefix (file-name-as-directory folder))
         (name (if (string-prefix-p prefix path) (substring path (length prefix)) path)))
    (concat "@" (replace-regexp-in-string "[ \t\\]" "\\\\\\&" name)
            (if (= first last)
                (format "#L%d" first)
              (format "#L%d-L%d" first last)))))

(defun ide-companion-send (first last)
  "Type a reference to the lines FIRST to LAST into the latest agent's prompt.
Interactively, they are those of the region, or the current one."
  (interactive
   (if (use-region-p)
       (list (line-number-at-pos (region-beginning) t)
             ;; A region that ends where a line begins does not hold that.
             (line-number-at-pos (max (region-beginning) (1- (region-end))) t))
     (list (line-number-at-pos (point) t) (line-number-at-pos (point) t))))
  (let ((process (and (buffer-live-p ide-companion--latest)
                      (get-buffer-process ide-companion--latest)))
        (file (ide-companion--file-buffer (current-buffer))))
    (cond
     ((not file) (user-error "This buffer visits no file"))
     ((not (process-live-p process))
      (user-error "No agent runs in a terminal here.  Start one by M-x ide-companion-run"))
     (t
      (process-send-string
       process
       (concat (ide-companion--reference (ide-companion--file-name (buffer-file-name file))
                                         (buffer-local-value 'default-directory ide-companion--latest)
                                         first last)
               " "))))))


;;;; The doctor

(defun ide-companion--finding (level format &rest arguments)
  "Insert what FORMAT and ARGUMENTS give; LEVEL is `ok', `warning' or `error'."
  (insert (pcase level
            ('ok (propertize "  OK       " 'face 'success))
            ('warning (propertize "  WARNING  " 'face 'warning))
            ('error (propertize "  ERROR    " 'face 'error))
            (_ "           "))
          (apply #'format format arguments) "\n"))

(defun ide-companion--heading (text)
  "Insert TEXT as a heading."
  (insert "\n" (propertize text 'face 'bold) "\n"))

(defun ide-companion--program-version ()
  "The version of the program, as it is printed: (EXIT-CODE . LINE)."
  (with-temp-buffer
    (let* ((default-directory temporary-file-directory)
           (words (append (butlast ide-companion-command) '("--version")))
           (code (apply #'call-process (car words) nil t nil (cdr words))))
      (goto-char (point-min))
      (cons code (buffer-substring (point) (line-end-position))))))

(defun ide-companion--check-program ()
  "Insert what is to be said of the program."
  (ide-companion--heading "Program")
  (let* ((program (car ide-companion-command))
         (found (executable-find program)))
    (if (not found)
        (progn
          (ide-companion--finding 'error "%s is not in `exec-path'" program)
          (ide-companion--finding nil "Install it: npm install --global ide-companion")
          (ide-companion--finding
           nil "Or name it: (setq ide-companion-command '(\"/path/to/ide-companion\" \"lsp\"))"))
      (pcase-let ((`(,code . ,line) (ide-companion--program-version)))
        (if (equal 0 code)
            (ide-companion--finding 'ok "%s is version %s" found line)
          (ide-companion--finding 'error "%s does not run: %s" program line))))))

(defun ide-companion--check-server ()
  "Insert what is to be said of the process, and of who is connected."
  (ide-companion--heading "Companion")
  (if (null ide-companion--status)
      (progn
        (ide-companion--finding 'warning "the companion is not running")
        (ide-companion--finding nil "%s" (if ide-companion-mode
                                             "It starts with the first file, or by M-x ide-companion-start"
                                           "M-x ide-companion-mode turns it on"))
        (ide-companion--finding nil "M-x ide-companion-log tells why it ended"))
    (ide-companion--finding 'ok "the companion listens on port %d, as process %d"
                            (plist-get ide-companion--status :port)
                            (process-id ide-companion--process))
    (dolist (name (ide-companion--connected))
      (ide-companion--finding 'ok "%s is connected" name))
    (unless (ide-companion--connected)
      (ide-companion--finding 'warning "no agent is connected")
      (ide-companion--finding nil "In the agent: /ide enable")
      (ide-companion--finding nil "Or start one here: M-x ide-companion-run"))
    (when (ide-companion--paused-p)
      (ide-companion--finding 'warning "sharing is paused")
      (ide-companion--finding nil "M-x ide-companion-resume ends that"))
    (dolist (path (append (plist-get ide-companion--status :excluded) nil))
      (ide-companion--finding 'ok "%s is kept from agents" (abbreviate-file-name path)))
    (dolist (proposal ide-companion--proposals)
      (ide-companion--finding 'ok "%s proposes %s" (ide-companion--proposal-agent proposal)
                              (ide-companion--proposal-label proposal)))))

(defun ide-companion--check-roots (folder)
  "Insert what is to be said of the folders, seen from FOLDER."
  (ide-companion--heading "Folders in which agents find this Emacs")
  (dolist (root ide-companion--roots)
    (ide-companion--finding 'ok "%s" (abbreviate-file-name root)))
  (cond
   ((null ide-companion--roots)
    (ide-companion--finding 'warning "none: no file is open, or none in a project"))
   ((file-remote-p folder)
    (ide-companion--finding 'warning "%s is on another machine, and not told of" folder))
   ((null (ide-companion--roots-above folder))
    (ide-companion--finding 'warning "%s is in none of them: an agent there does not connect"
                            (abbreviate-file-name folder)))))

(defun ide-companion--check-agents ()
  "Insert what is to be said of agents and terminals."
  (ide-companion--heading "Agents")
  (pcase-dolist (`(,name . ,command) '(("Gemini CLI" . "gemini") ("Qwen Code" . "qwen")))
    (if (executable-find command)
        (ide-companion--finding 'ok "%s is installed" name)
      (ide-companion--finding nil "%s (%s) is not in `exec-path'" name command)))
  (ide-companion--finding nil "M-x ide-companion-run opens them by %s"
                          (ide-companion--terminal-function)))

(defun ide-companion--insert-log ()
  "Insert the last lines of the log."
  (ide-companion--heading "Log")
  (let ((log (get-buffer ide-companion--log-name)))
    (insert (if (null log)
                "  Nothing has happened yet.\n"
              (with-current-buffer log
                (save-excursion
                  (goto-char (point-max))
                  (forward-line -10)
                  (replace-regexp-in-string "^." "  \\&"
                                            (buffer-substring (point) (point-max)))))))))

;;;###autoload
(defun ide-companion-doctor ()
  "Show where things stand, who is connected, and what is missing."
  (interactive)
  (let ((folder default-directory)
        (buffer (get-buffer-create "*ide-companion doctor*")))
    (with-current-buffer buffer
      (special-mode)
      (setq default-directory folder)
      (setq-local revert-buffer-function (lambda (&rest _) (ide-companion-doctor)))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (propertize "ide-companion" 'face 'bold) " in Emacs " emacs-version "\n")
        (ide-companion--check-program)
        (ide-companion--check-server)
        (ide-companion--check-roots folder)
        (ide-companion--check-agents)
        (ide-companion--insert-log))
      (goto-char (point-min)))
    (pop-to-buffer buffer)))


;;;; The mode

(defvar ide-companion-command-map
  (let ((map (make-sparse-keymap)))
    (define-key map "a" #'ide-companion-accept)
    (define-key map "k" #'ide-companion-reject)
    (define-key map "n" #'ide-companion-next-proposal)
    (define-key map "e" #'ide-companion-edits)
    (define-key map "p" #'ide-companion-pause)
    (define-key map "P" #'ide-companion-resume)
    (define-key map "r" #'ide-companion-run)
    (define-key map "s" #'ide-companion-send)
    (define-key map "?" #'ide-companion-doctor)
    (define-key map "l" #'ide-companion-log)
    map)
  "Keys for everywhere, to be bound to a prefix of your choice.")
(fset 'ide-companion-command-map ide-companion-command-map)

;;;###autoload
(define-minor-mode ide-companion-mode
  "Make this Emacs the IDE of Gemini CLI, Qwen Code and other agent CLIs."
  :global t
  :lighter ide-companion-lighter
  (setq ide-companion--wanted ide-companion-mode)
  (ide-companion--update-lighter)
  (if ide-companion-mode
      (ide-companion--watch)
    (ide-companion--unwatch)
    (ide-companion-stop)))

(provide 'ide-companion)
;;; ide-companion.el ends here
