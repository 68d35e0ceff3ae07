;;; ide-companion-doctor.el --- What runs, and what is missing  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A report on the program, its connections, folders and agents.

;;; Code:

(require 'ide-companion-custom)
(require 'ide-companion-proposal)
(require 'ide-companion-roots)
(require 'ide-companion-rpc)
(require 'ide-companion-server)
(require 'ide-companion-status)
(require 'ide-companion-terminal)

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
  "Insert the findings about the program."
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
  "Insert the findings about the process and its connections."
  (ide-companion--heading "Companion")
  (if (null ide-companion--status)
      (progn
        (ide-companion--finding 'warning "the companion is not running")
        (ide-companion--finding nil (if (bound-and-true-p ide-companion-mode)
                                        "It starts with the first file, or by M-x ide-companion-start"
                                      "M-x ide-companion-mode turns it on"))
        (ide-companion--finding nil "M-x ide-companion-log shows why it ended"))
    (ide-companion--finding 'ok "the companion listens on port %d, as process %d"
                            (plist-get ide-companion--status :port)
                            (process-id ide-companion--process))
    (dolist (name (ide-companion--connected))
      (ide-companion--finding 'ok "%s is connected" name))
    (unless (ide-companion--connected)
      (ide-companion--finding 'warning "no agent is connected")
      (ide-companion--finding nil "Connect one by its command /ide")
      (ide-companion--finding nil "Or start one here: M-x ide-companion-run"))
    (when (ide-companion--paused-p)
      (ide-companion--finding 'warning "sharing is paused")
      (ide-companion--finding nil "M-x ide-companion-resume ends the pause"))
    (dolist (path (append (plist-get ide-companion--status :excluded) nil))
      (ide-companion--finding 'ok "%s is not sent to agents" (abbreviate-file-name path)))
    (dolist (proposal ide-companion--proposals)
      (ide-companion--finding 'ok "%s proposes %s" (ide-companion--proposal-agent proposal)
                              (ide-companion--proposal-label proposal)))))

(defun ide-companion--check-roots (folder)
  "Insert the findings about the folders, seen from FOLDER."
  (ide-companion--heading "Folders in which agents find this Emacs")
  (dolist (root ide-companion--roots)
    (ide-companion--finding 'ok "%s" (abbreviate-file-name root)))
  (cond
   ((null ide-companion--roots)
    (ide-companion--finding 'warning "none: no file is open, or none in a project"))
   ((file-remote-p folder)
    (ide-companion--finding 'warning "%s is on another machine, and is not sent" folder))
   ((null (ide-companion--roots-above folder))
    (ide-companion--finding 'warning "%s is in none of them: an agent there does not connect"
                            (abbreviate-file-name folder)))))

(defun ide-companion--check-agents ()
  "Insert the findings about agents and terminals."
  (ide-companion--heading "Agents")
  (dolist (agent ide-companion--agents)
    (let ((name (plist-get agent :displayName)) (command (plist-get agent :command)))
      (if (executable-find command)
          (ide-companion--finding 'ok "%s is installed" name)
        (ide-companion--finding nil "%s (%s) is not in `exec-path'" name command))))
  (ide-companion--finding nil "M-x ide-companion-run opens them by %s"
                          (ide-companion--terminal-function)))

;;;###autoload
(defun ide-companion-doctor ()
  "Show the state of the companion, connected agents, and what is missing."
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
        (ide-companion--check-agents))
      (goto-char (point-min)))
    (pop-to-buffer buffer)))

(provide 'ide-companion-doctor)
;;; ide-companion-doctor.el ends here
