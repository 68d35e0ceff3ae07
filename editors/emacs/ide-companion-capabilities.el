;;; ide-companion-capabilities.el --- Optional capabilities for agents  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Opens files, opens links and reports diagnostics for agents.

;;; Code:

(require 'ide-companion-log)
(require 'ide-companion-selection)
(require 'ide-companion-text)
(require 'ide-companion-windows)

(defun ide-companion--show-document (params)
  "`window/showDocument' with PARAMS: a link for the browser, if there is one."
  (let ((opened (and (eq t (plist-get params :external))
                     (or (display-graphic-p) (getenv "DISPLAY") (getenv "WAYLAND_DISPLAY"))
                     (ignore-errors (browse-url (plist-get params :uri)) t))))
    (list :success (if opened t :json-false))))

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

(defun ide-companion--buffer-diagnostics (buffer)
  "What Flymake knows of BUFFER, and language servers by it."
  (with-current-buffer buffer
    (let ((path (ide-companion--file-name buffer-file-name)))
      (mapcar (lambda (found)
                (let ((begin (ide-companion--cursor-at (flymake-diagnostic-beg found)))
                      (end (ide-companion--cursor-at (flymake-diagnostic-end found))))
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
         (known (ide-companion--filter
                 (lambda (buffer)
                   (and buffer (buffer-file-name buffer)
                        (buffer-local-value 'flymake-mode buffer)))
                 (and (boundp 'flymake-mode) buffers))))
    (list :diagnostics (vconcat (apply #'append (mapcar #'ide-companion--buffer-diagnostics known))))))

(provide 'ide-companion-capabilities)
;;; ide-companion-capabilities.el ends here
